import { shownFileName } from '../../text/file-names.ts'

/** A name of a file from its bytes, one character for each. One that is UTF-8 can be said to every operation as it is. */
export function nameOf(bytes: string): { name: string; isText: boolean } {
  if (/^[\x20-\x7e]*$/.test(bytes)) return { name: bytes, isText: true }
  const content = Buffer.from(bytes, 'latin1')
  const name = content.toString()
  const isText = Buffer.from(name).equals(content)
  return { name: isText ? name : shownFileName(bytes), isText }
}

/** As git reads it from a list: in quotes, with everything that a line cannot hold as an octal number. */
export function quotedForGit(name: string): string {
  const bytes = Buffer.from(name).toString('latin1')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be quoted
  return `"${bytes.replace(/[\x00-\x1f"\\\x7f-\xff]/g, byte => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
}

const LETTERS: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** A line of git's output, which quotes what it has to, one character for each byte. */
export function unquotedByGit(line: string): string {
  if (!line.startsWith('"')) return Buffer.from(line, 'latin1').toString()
  const bytes = line.slice(1, -1).replace(/\\([0-7]{3}|.)/gs, (_, code: string) => {
    return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (LETTERS[code] ?? code)
  })
  return Buffer.from(bytes, 'latin1').toString()
}
