import { createTranslator } from 'use-intl/core'
import { en } from './en/catalogues.ts'

type Catalogues = typeof en
type Translator<Catalogue extends object> = ReturnType<typeof createTranslator<Catalogue>>

/** BCP 47. It stays the same while a window lives, so that constants may hold sentences too. */
const LANGUAGE = 'en'

/**
 * The sentences of one page: `t('key', values)` is text, `t.rich('key', values)` React nodes. Messages are in ICU
 * MessageFormat; an unknown key, or a value that is missing or of the wrong type, is a type error.
 */
export function translator<Name extends keyof Catalogues>(name: Name): Translator<Catalogues[Name]> {
  return createTranslator<Catalogues[Name]>({ locale: LANGUAGE, messages: en[name] })
}
