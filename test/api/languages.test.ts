import { expect, it } from 'vitest'
import { directionOf, languageOf, localeFor } from '../../server/api/languages.ts'

it.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['zh-CN', 'zh'],
  ['zh-Hant-TW', 'zh'],
  ['ko-KR', 'ko'],
  ['PT', 'pt'],
  ['no', undefined],
  ['constructor', undefined],
  ['', undefined],
  ['de_DE', undefined],
  ['\0', undefined],
])('the language of %j is %s', (tag, language) => {
  expect(languageOf(tag)).toBe(language)
})

it('is that of the setting, with the region of the system where their languages are the same', () => {
  expect(localeFor('de', ['en-GB', 'de-CH'])).toEqual({ language: 'de', tag: 'de-CH' })
  expect(localeFor('de', ['en-GB'])).toEqual({ language: 'de', tag: 'de' })
})

it('is the first of the system’s that there is where no setting says one, or one that there is not', () => {
  expect(localeFor(null, ['nl-NL', 'fr-CA', 'en-US'])).toEqual({ language: 'fr', tag: 'fr-CA' })
  expect(localeFor('no', ['ja'])).toEqual({ language: 'ja', tag: 'ja' })
  expect(localeFor(null, [])).toEqual({ language: 'en', tag: 'en' })
})

it('goes from right to left in Arabic alone', () => {
  expect([directionOf('ar'), directionOf('en')]).toEqual(['rtl', 'ltr'])
})
