import { createTranslator } from 'use-intl/core'
import type { Language } from '../../server/api/languages.ts'
import { DIRECTION, LANGUAGE, LOCALE } from './current.ts'
import { en } from './en/catalogues.ts'
import { isolated } from './isolate.ts'

type Catalogues = typeof en
type Translator<Catalogue extends object> = ReturnType<typeof createTranslator<Catalogue>>

/** The same sentences in another language. */
type Translation = { readonly [Name in keyof Catalogues]: { readonly [Key in keyof Catalogues[Name]]: string } }

const OTHERS: Record<Exclude<Language, 'en'>, () => Promise<Translation>> = {
  de: async () => (await import('./de/catalogues.ts')).de,
  fr: async () => (await import('./fr/catalogues.ts')).fr,
  es: async () => (await import('./es/catalogues.ts')).es,
  pt: async () => (await import('./pt/catalogues.ts')).pt,
  ja: async () => (await import('./ja/catalogues.ts')).ja,
  zh: async () => (await import('./zh/catalogues.ts')).zh,
  ko: async () => (await import('./ko/catalogues.ts')).ko,
  ar: async () => (await import('./ar/catalogues.ts')).ar,
}

// Whatever holds a sentence waits for this module, so that constants may hold sentences too.
const messages: Translation = LANGUAGE === 'en' ? en : await OTHERS[LANGUAGE]().catch(() => en)

/**
 * The sentences of one page: `t('key', values)` is text, `t.rich('key', values)` React nodes. Messages are in ICU
 * MessageFormat; an unknown key, or a value that is missing or of the wrong type, is a type error. Types are those of the
 * English sentences, whose keys and values all languages share.
 */
export function translator<Name extends keyof Catalogues>(name: Name): Translator<Catalogues[Name]> {
  const t = createTranslator<Catalogues[Name]>({ locale: LOCALE, messages: messages[name] as Catalogues[Name] })
  return DIRECTION === 'rtl' ? withIsolatedValues(t, messages[name]) : t
}

function withIsolatedValues<T extends object>(translate: T, catalogue: Readonly<Record<string, string>>): T {
  type Say = (key: string, values?: Record<string, unknown>, ...more: unknown[]) => unknown
  const around =
    (say: Say): Say =>
    (key, values, ...more) =>
      say(key, values && isolated(catalogue[key] ?? '', values), ...more)
  const { rich } = translate as { rich: Say }
  return Object.assign(around(translate as unknown as Say), translate, { rich: around(rich) }) as unknown as T
}
