export interface PackageNotice {
  name: string
  version: string
  /** An expression of SPDX, or where to look. */
  license: string
  /** What the package itself says, which may be nothing. */
  text: string
}

const RULE = `\n\n${'-'.repeat(72)}\n\n`
const TITLE = /^(\S+) (\d\S*) \((.+)\)$/

/** The packages in the file that `build/release/notices.mjs` makes. */
export function noticesIn(file: string): PackageNotice[] {
  const notices: PackageNotice[] = []
  for (const part of file.trimEnd().split(RULE)) {
    const [title = '', ...lines] = part.split('\n')
    const [, name, version, license] = TITLE.exec(title) ?? []
    const last = notices.at(-1)
    if (name && version && license) notices.push({ name, version, license, text: lines.join('\n').trim() })
    // A licence can have such a rule in it.
    else if (last) last.text += RULE + part
  }
  return notices
}

/** Those whose name has all words of the filter. */
export function noticesNamed(notices: readonly PackageNotice[], filter: string): PackageNotice[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return notices.filter(({ name }) => words.every(word => name.toLowerCase().includes(word)))
}
