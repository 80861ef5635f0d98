import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { desktop } from '../../electron/language/en.ts'
import { en as window } from '../../renderer/language/en/catalogues.ts'
import { catalogueOf, possibleKeys, strayTexts } from './sentence-rules.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const CATALOGUES: Record<string, Record<string, string>> = { ...window, desktop }

/** Strings that look like sentences, with why no person reads them. */
const READ_BY_NOBODY = [
  // What the editor asks for its words by.
  ...['Go to line', 'Selection deleted', 'Control character'].map(
    key => `renderer/pages/conversation/panel/file/editor-words.ts: ${key}`,
  ),
  'electron/ipc-main.ts: This page may not ask.', // the answer to a page that is not ours
  'electron/service/child.ts: Atelier service', // the name of a process
  // Of reports, which are in English.
  'electron/service/child.ts: The process of the service ended with code ….',
  'electron/service/child.ts: The service did not answer, and a person had it started again.',
  'electron/service/child.ts: An error of the app (…), while the service did not answer.',
  'electron/service/keychain.ts: Atelier keychain', // the name of a process
]

/** Written into packages. */
const SHOWN_BY_FILE_MANAGERS = ['desktop.openInAtelier']

describe('the sentences that a person reads', () => {
  test('stand in catalogues', () => {
    const stray = sources().flatMap(path => strayTexts(path, read(path)).map(text => `${path}:${text}`))
    expect(stray.map(withoutLine)).toEqual(READ_BY_NOBODY)
  })

  test('are found wherever they would be written', () => {
    const offences = [
      'const a = <p>Nothing here</p>',
      'const a = <p>{count} files</p>',
      'const a = <button aria-label="close" />',
      "const a = <button title={open ? 'Hide' : t('show')} />",
      'const a = <input placeholder="Search everything" />',
      'const a = <p title={`Remove ${name}`} />',
      "const WORDS = { done: 'The task is done.' }",
      "notify('Settings saved.')",
    ]
    expect(offences.filter(text => strayTexts('a.tsx', text).length !== 1)).toEqual([])
    const fine = [
      'const a = <p className="text-sm px-2">{t("nothing")}</p>',
      'const a = <input placeholder="node:22" />',
      "throw new Error('useSession is used outside of a session.')",
      "if (event.key === 'Enter') submit()",
      'const a = <p>· {t("more")}</p>',
    ]
    expect(fine.filter(text => strayTexts('a.tsx', text).length !== 0)).toEqual([])
  })

  test('are all shown somewhere', () => {
    const shown = new Map<string, Set<string>>()
    for (const path of sources()) {
      const found = possibleKeys(path, read(path))
      if (!found) continue
      const name = catalogueOf(read(found.translator)) ?? found.translator
      shown.set(name, new Set([...(shown.get(name) ?? []), ...found.keys]))
    }
    expect(unshown(CATALOGUES, shown)).toEqual(SHOWN_BY_FILE_MANAGERS)
    expect([...shown.keys()].filter(name => !(name in CATALOGUES))).toEqual([])
    expect(unshown({ page: { a: 'A', b: 'B' } }, new Map([['page', new Set(['a'])]]))).toEqual(['page.b'])
  })

  test('have names that say what they are, and no sentence that was cut off', () => {
    for (const [name, messages] of Object.entries(CATALOGUES)) {
      expect(Object.keys(messages).filter(isClumsy), name).toEqual([])
    }
    const clumsy = [
      'givePlainNumberTo2',
      'value_of_it',
      'agentCannotWorkWithThese',
      'conversationsAndSettingsAreAllGone',
    ]
    expect([...clumsy, 'temperatureProblem', 'whyNot'].filter(isClumsy)).toEqual(clumsy)
  })

  test('are messages that can be parsed', () => {
    for (const [name, messages] of Object.entries(CATALOGUES)) {
      expect(unreadable(messages), name).toEqual([])
    }
    expect(unreadable({ plural: '{count, plural, one {# file} other {# files}', link: 'Read <a>this' })).toHaveLength(2)
  })
})

const MAX_KEY_LENGTH = 30

/** A name that goes on: it was cut from the beginning of a sentence. */
const CUT_OFF =
  /[a-z](The|A|An|And|Or|With|Without|By|That|Which|Until|Because|These|Their|Its|May|Cannot|Could|Would|Every|Older|Still)$/

function isClumsy(key: string): boolean {
  return !/^[a-z][A-Za-z]*$/.test(key) || key.length > MAX_KEY_LENGTH || CUT_OFF.test(key)
}

function withoutLine(found: string): string {
  return found.replace(/:\d+:/, ':')
}

function sources(): string[] {
  return ['renderer', 'electron']
    .flatMap(folder =>
      readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map(
        path => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    )
    .filter(path => /\.tsx?$/.test(path) && !path.includes('/language/'))
}

function read(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8')
}

function unshown(catalogues: typeof CATALOGUES, shown: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return Object.entries(catalogues).flatMap(([name, messages]) =>
    Object.keys(messages).flatMap(key => (shown.get(name)?.has(key) ? [] : [`${name}.${key}`])),
  )
}

function unreadable(messages: Record<string, string>): string[] {
  const broken: string[] = []
  for (const key of Object.keys(messages)) {
    const onError = ({ code }: { code: string }) => {
      if (code === 'INVALID_MESSAGE') broken.push(key)
    }
    createTranslator<Record<string, string>>({ locale: 'en', messages, onError })(key, { '': '' })
  }
  return broken
}
