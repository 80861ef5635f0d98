import { createTranslator } from 'use-intl/core'
import type { Language } from '../server/api/languages.ts'
import { desktop as ar } from './language/ar.ts'
import { desktop as de } from './language/de.ts'
import { desktop as en } from './language/en.ts'
import { desktop as es } from './language/es.ts'
import { desktop as fr } from './language/fr.ts'
import { desktop as ja } from './language/ja.ts'
import { desktop as ko } from './language/ko.ts'
import { desktop as pt } from './language/pt.ts'
import { desktop as zh } from './language/zh.ts'

type Messages = typeof en
type Translation = { readonly [Key in keyof Messages]: string }
type Translator = ReturnType<typeof translatorOf>

const TRANSLATIONS: Record<Language, Translation> = { ar, de, en, es, fr, ja, ko, pt, zh }

let language: Language = 'en'
let current: Translator = translatorOf(language)

/** A sentence in the language of the moment: what is asked for early is to be asked for again once that has changed. */
export const t = ((...asked: Parameters<Translator>) => current(...asked)) as Translator

/** @returns whether it was another language before */
export function speak(next: Language): boolean {
  if (next === language) return false
  language = next
  current = translatorOf(next)
  return true
}

/** Types are those of the English sentences, whose keys and values all languages share. */
function translatorOf(locale: Language) {
  const desktop = TRANSLATIONS[locale] as Messages
  return createTranslator({ locale, messages: desktop })
}
