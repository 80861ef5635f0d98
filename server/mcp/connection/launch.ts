import { randomToken } from '../../domain/ids.ts'
import { shellQuote } from '../../text/shell-quote.ts'

/** Reads a script from its input up to a line of its own, byte by byte as a shell reads, and becomes what that runs. */
const READER = `script=
while IFS= read -r line; do
  [ "$line" = "$1" ] && break
  script="$script$line
"
done
eval "$script"`

export interface Launch {
  argv: string[]
  /** To be written to the process first. */
  input: string
}

/**
 * How to start a command in a sandbox so that neither its arguments nor its environment show in the engine's events and
 * inspection: both carry keys.
 */
export function launch({
  command,
  args,
  env,
  guard,
}: {
  command: string
  args: string[]
  env: Record<string, string>
  /** Files that must still hold this text, or nothing is run. */
  guard: readonly { path: string; text: string }[]
}): Launch {
  const end = `__end_${randomToken(12)}__`
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}\n`)
  const checks = guard.map(({ path, text }) => {
    const file = shellQuote(path)
    return `if [ -L ${file} ] || [ "$(cat -- ${file}; printf x)" != ${shellQuote(`${text}x`)} ]; then
  echo ${file} 'has changed since it was read, so that nothing was run.' >&2; exit 1
fi
`
  })
  const words = [command, ...args].map(shellQuote).join(' ')
  const input = `${checks.join('')}${exports.join('')}exec ${words}\n${end}\n`
  return { argv: ['/bin/sh', '-c', READER, 'sh', end], input }
}
