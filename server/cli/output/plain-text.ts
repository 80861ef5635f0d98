import { stripVTControlCharacters } from 'node:util'
import { clipEnd } from '../../text/clip.ts'

/** Turns the direction of the text that follows, or hides it: what is read would not be what stands there. */
const DECEIVING = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/**
 * Text of a model, a sandbox or a service as a terminal may show it: escape sequences are taken out, every other control
 * character but line feed and tab is shown as a picture of itself.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replaceAll('\r\n', '\n'))
    .replace(CONTROL, visibleSymbol)
    .replace(DECEIVING, codePoint)
}

/** The same on one line of bounded length. */
export function plainLine(text: string, maxLength = 200): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim()
  return clipEnd(line, maxLength)
}

/** JSON on one line, with every control character escaped. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(CONTROL, escaped).replace(DECEIVING, escaped)
}

function visibleSymbol(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x7f) return '\u2421'
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : codePoint(character)
}

function codePoint(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
