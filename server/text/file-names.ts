/*
 * Names of files are bytes, and those of old archives are often no UTF-8. Shown, a byte that belongs to no character is written
 * as \xE9. So that each shown name is that of one file alone, a backslash that would begin such a thing is written as \x5C.
 */

/** @param bytes one character for each, as `latin1` decodes them */
export function shownFileName(bytes: string): string {
  const name = Buffer.from(bytes, 'latin1')
  let shown = ''
  let begun = 0
  const show = (end: number) => {
    shown += name.toString('utf8', begun, end).replace(/\\(?=x(?:5C|[89A-F][0-9A-F]))/g, '\\x5C')
  }
  for (let at = 0; at < name.length; ) {
    const length = characterLength(name, at)
    if (length === 0) {
      show(at)
      shown += `\\x${name.toString('hex', at, at + 1).toUpperCase()}`
      begun = at + 1
    }
    at += length || 1
  }
  show(name.length)
  return shown
}

/** What `shownFileName` showed. */
export function fileNameBytes(shown: string): Buffer {
  const parts = shown.split(/\\x(5C|[89A-F][0-9A-F])/)
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 1 ? 'hex' : 'utf8')))
}

/** For a shell, whose arguments are text, to be given back its bytes by the `%b` of its `printf`. @param shown as `shownFileName` shows it */
export function printfFileName(shown: string): string {
  const bytes = fileNameBytes(shown).toString('latin1')
  return bytes.replace(/[^ -[\]-~]/g, byte => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

/** In bytes; 0 where none begins there. */
function characterLength(name: Buffer, at: number): number {
  const first = name[at] ?? 0
  if (first < 0x80) return 1
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  const character = name.subarray(at, at + length)
  return character.length === length && Buffer.from(character.toString()).equals(character) ? length : 0
}
