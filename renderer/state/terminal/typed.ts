/** A program that is sent this reads it as the terminal's word about itself, and nothing in it was chosen by a program. */
const HARMLESS = [
  /^\x1b\[[?>=]?[\d;]{0,40}c$/, // what it is
  /^\x1b\[\??[\d;]{1,16}[nR]$/, // that it works, where the cursor is
  /^\x1b\[\??\d{1,6};[0-4]\$y$/, // how a mode is set
  /^\x1bP[01]\$r[\d;]{0,60}(?:m|r|"p|"q| q|\$r)?\x1b\\$/, // attributes, margins, the form of the cursor
  /^\x1b\](?:4;\d{1,3}|1[0-2]);rgb:[\da-f/]{5,16}(?:\x07|\x1b\\)$/i, // colours
]

/** Whether what a terminal answers to a program is one of the standard reports, and no text that the program chose. */
export function isHarmlessAnswer(text: string): boolean {
  return HARMLESS.some(pattern => pattern.test(text))
}

/** Pasted text: control characters could end the paste, or be commands of their own. */
export function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
}

/** How many commands a paste would run in a shell that does not know that it is one. */
export function lineCount(text: string): number {
  return text.split(/\r\n|[\r\n]/).length
}

/** Paths as words of a POSIX shell, to be typed. */
export function quotedPaths(paths: readonly string[]): string {
  return paths.map(path => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${withoutControls(path).replaceAll("'", `'\\''`)}'`)).join(' ')
}

/** An address that a link in a terminal may open. */
export function webAddress(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined
}
