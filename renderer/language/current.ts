import { directionOf, localeFor } from '../../server/api/languages.ts'

/** Where the window keeps the language of the settings, which it has to know before it has read them. */
const STORED = 'language'

/** It stays the same while a window lives. */
const current = localeFor(stored(), systemLanguages())

export const LANGUAGE = current.language
export const DIRECTION = directionOf(LANGUAGE)
/** For dates and numbers: with the region of the system, where its language is this one, and with one kind of digits. */
export const LOCALE = new Intl.Locale(current.tag, { numberingSystem: 'latn' }).toString()

/**
 * Keeps the language of the settings for the next start of the window; null follows the system.
 * @returns whether the window would have another language then
 */
export function rememberLanguage(setting: string | null): boolean {
  try {
    if (setting === null) localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, setting)
  } catch {
    return false
  }
  return localeFor(stored(), systemLanguages()).language !== LANGUAGE
}

function stored(): string | null {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

/** Of the system; the tests' and the build's own Node speaks English. */
function systemLanguages(): readonly string[] {
  return typeof document === 'undefined' ? ['en'] : navigator.languages
}
