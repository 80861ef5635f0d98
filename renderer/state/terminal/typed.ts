/** As sequences begin and end, written so that they can be read. */
const ESCAPE = '␛'
const BELL = '␇'

/** Standard reports of a terminal about itself: nothing in them was chosen by a program. */
const REPORTS = [
  /^␛\[[?>=]?[\d;]{0,40}c$/, // what it is
  /^␛\[\??[\d;]{1,16}[nR]$/, // that it works, where the cursor is
  /^␛\[\??\d{1,6};[0-4]\$y$/, // how a mode is set
  /^␛\](?:4;\d{1,3}|1[0-2]);rgb:[\da-f/]{5,16}(?:␇|␛\\)$/i, // colours
]

/** Whether what a terminal answers to a program is one of the standard reports, and no text that the program chose. */
export function isHarmlessAnswer(text: string): boolean {
  if (text.includes(ESCAPE) || text.includes(BELL)) return false
  const readable = text.replaceAll('\x1b', ESCAPE).replaceAll('\x07', BELL)
  return REPORTS.some(pattern => pattern.test(readable))
}

/** Pasted text: control characters could end the paste, or be commands of their own. */
export function withoutControls(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '')
}

/** How many commands a paste would run in a shell that does not know that it is one. */
export function lineCount(text: string): number {
  return text.split(/\r\n|[\r\n]/).length
}

/** Paths as words of a POSIX shell, to be typed. */
export function quotedPaths(paths: readonly string[]): string {
  return paths
    .map(path => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${withoutControls(path).replaceAll("'", `'\\''`)}'`))
    .join(' ')
}

/** An address that a link in a terminal may open. */
export function webAddress(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined
}
