/** Whether an option is given: `-rf` contains `r`, `--recur` means `--recursive`. */
export function hasFlag(args: readonly string[], short: string, ...long: string[]): boolean {
  for (const arg of args) {
    if (arg === '--') return false
    if (/^-[A-Za-z0-9]/.test(arg) && [...short].some(letter => arg.slice(1).includes(letter))) return true
    const name = /^--([\w-]{2,})/.exec(arg)?.[1]
    if (name && long.some(each => each.startsWith(name))) return true
  }
  return false
}

/** The values of an option in all its forms: `-o x`, `-ox`, `--out x`, `--out=x`. */
export function optionValues(args: readonly string[], short: string, ...long: string[]): string[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1]
    const name = /^--([\w-]+)(?:=([\s\S]*))?$/.exec(arg)
    if (name) return long.includes(name[1] ?? '') ? [name[2] ?? next ?? ''] : []
    const cluster = /^-[A-Za-z0-9]/.test(arg) ? arg.slice(1) : ''
    const at = [...cluster].findIndex(letter => short.includes(letter))
    if (at < 0) return []
    return [at + 1 < cluster.length ? cluster.slice(at + 1) : (next ?? '')]
  })
}

/** The arguments that are no options; `withValue` names those whose next word belongs to them (`-n`, `--name`). */
export function operands(args: readonly string[], withValue: readonly string[] = []): string[] {
  const found: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') return [...found, ...args.slice(index + 1)]
    if (withValue.includes(arg)) index++
    else if (!arg.startsWith('-') || arg === '-') found.push(arg)
  }
  return found
}
