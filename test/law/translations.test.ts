import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { desktop as arDesktop } from '../../electron/language/ar.ts'
import { desktop as deDesktop } from '../../electron/language/de.ts'
import { desktop as enDesktop } from '../../electron/language/en.ts'
import { desktop as esDesktop } from '../../electron/language/es.ts'
import { desktop as frDesktop } from '../../electron/language/fr.ts'
import { desktop as jaDesktop } from '../../electron/language/ja.ts'
import { desktop as koDesktop } from '../../electron/language/ko.ts'
import { desktop as ptDesktop } from '../../electron/language/pt.ts'
import { desktop as zhDesktop } from '../../electron/language/zh.ts'
import { ar } from '../../renderer/language/ar/catalogues.ts'
import { de } from '../../renderer/language/de/catalogues.ts'
import { en } from '../../renderer/language/en/catalogues.ts'
import { es } from '../../renderer/language/es/catalogues.ts'
import { fr } from '../../renderer/language/fr/catalogues.ts'
import { ja } from '../../renderer/language/ja/catalogues.ts'
import { ko } from '../../renderer/language/ko/catalogues.ts'
import { pt } from '../../renderer/language/pt/catalogues.ts'
import { zh } from '../../renderer/language/zh/catalogues.ts'
import { LANGUAGES } from '../../server/api/languages.ts'
import { familiarIn } from './address-rules.ts'

type Catalogues = Record<string, Record<string, string>>

const ENGLISH: Catalogues = { ...en, desktop: enDesktop }
const TRANSLATIONS: Record<string, Catalogues> = {
  ar: { ...ar, desktop: arDesktop },
  de: { ...de, desktop: deDesktop },
  es: { ...es, desktop: esDesktop },
  fr: { ...fr, desktop: frDesktop },
  ja: { ...ja, desktop: jaDesktop },
  ko: { ...ko, desktop: koDesktop },
  pt: { ...pt, desktop: ptDesktop },
  zh: { ...zh, desktop: zhDesktop },
}

describe('the sentences of each language', () => {
  test('are there for every language that can be chosen', () => {
    expect(Object.keys(TRANSLATIONS).sort()).toEqual(
      Object.keys(LANGUAGES)
        .filter(code => code !== 'en')
        .sort(),
    )
  })

  test.each(Object.entries(TRANSLATIONS))('are the English ones: %s', (_, catalogues) => {
    expect(keysOf(catalogues)).toEqual(keysOf(ENGLISH))
  })

  test.each(Object.entries(TRANSLATIONS))(
    'have the values and the plurals that they need: %s',
    (language, catalogues) => {
      expect(problemsOf(language, catalogues)).toEqual([])
    },
  )

  test.each(Object.entries(TRANSLATIONS))('speak to people in the polite form: %s', (language, catalogues) => {
    const found = Object.entries(catalogues).flatMap(([name, messages]) =>
      Object.entries(messages).flatMap(([key, message]) =>
        familiarIn(language, message).map(words => `${name}.${key}: ${words}`),
      ),
    )
    expect(found).toEqual([])
  })

  test('are looked at closely, whom they speak to', () => {
    const german = 'Prüfe, ob du sie lesen darfst, und versuche es noch einmal. Teile sie auf.'
    expect(familiarIn('de', german)).toEqual(['du', 'darfst', 'Prüfe', 'und versuche', 'Teile sie'])
    expect(familiarIn('de', 'Laden Sie alle Teile, und versuchen Sie es. Ein Individuum lädt Dirndl.')).toEqual([])
    const spanish = 'Puedes detenerla. Descárgalo, ábrelo y vuelve a intentarlo con tu sandbox.'
    expect(familiarIn('es', spanish)).toEqual(['tu', 'Puedes', 'y vuelve a', 'Descárgalo', 'ábrelo'])
    expect(familiarIn('es', 'Descárguelo; aquí puede detenerlo. El título está en la tutela.')).toEqual([])
  })

  test('are looked at closely', () => {
    const english = { page: { a: '{count, plural, one {# file} other {# files}}', b: 'Read <a>this</a>, {name}' } }
    const wrong = { page: { a: '{count, plural, other {# ملف}}', b: 'اقرأ {nom}' } }
    expect(problemsOf('ar', wrong, english)).toEqual([
      'page.a has no plural for few, many, one, two, zero',
      'page.b has nom, not <a>, name',
    ])
    expect(problemsOf('ja', { page: { a: '{count, plural, other {#件', b: '{name} <a>x</a>' } }, english)).toEqual([
      'page.a cannot be read',
    ])
  })
})

function keysOf(catalogues: Catalogues): string[] {
  return Object.entries(catalogues)
    .flatMap(([name, messages]) => Object.keys(messages).map(key => `${name}.${key}`))
    .sort()
}

function problemsOf(language: string, catalogues: Catalogues, english = ENGLISH): string[] {
  const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  // French, Spanish and Portuguese have a form for round millions, which no number of the window reaches.
  const needed = language === 'ar' ? plurals : plurals.filter(category => category === 'one' || category === 'other')
  return Object.entries(english).flatMap(([name, messages]) =>
    Object.entries(messages).flatMap(([key, original]) => {
      const place = `${name}.${key}`
      try {
        const [expected, given] = [original, catalogues[name]?.[key] ?? ''].map(message => partsOf(parse(message)))
        const isCounted = expected?.plurals.some(options => options.includes('one'))
        const missing = (isCounted ? needed : ['other']).filter(category =>
          given?.plurals.some(options => !options.includes(category)),
        )
        const [has, wants] = [given, expected].map(parts => [...(parts?.names ?? [])].sort().join(', '))
        return [
          ...(missing.length > 0 ? [`${place} has no plural for ${missing.join(', ')}`] : []),
          ...(has === wants ? [] : [`${place} has ${has}, not ${wants}`]),
        ]
      } catch {
        return [`${place} cannot be read`]
      }
    }),
  )
}

/** The values and tags of a message, and the categories of each of its plurals. */
function partsOf(elements: readonly MessageFormatElement[]): { names: Set<string>; plurals: string[][] } {
  const names = new Set<string>()
  const plurals: string[][] = []
  const visit = (all: readonly MessageFormatElement[]): void => {
    for (const element of all) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue
      names.add(element.type === TYPE.tag ? `<${element.value}>` : element.value)
      if (element.type === TYPE.tag) visit(element.children)
      if (element.type !== TYPE.plural && element.type !== TYPE.select) continue
      if (element.type === TYPE.plural) plurals.push(Object.keys(element.options))
      for (const { value } of Object.values(element.options)) visit(value)
    }
  }
  visit(elements)
  return { names, plurals }
}
