import { expect, test } from 'vitest'
import { applicable, openConflicts, toChoices } from '../../../renderer/state/conversation/folder-apply.ts'
import type { FolderFile } from '../../../server/api/v1/conversation/folder/apply.ts'

const file = (path: string, state: FolderFile['state']): FolderFile => {
  return { path, state, status: 'UPDATED', reason: null, added: 1, removed: 1 }
}
const FILES = [file('both', 'conflict'), file('constructor', 'conflict'), file('link', 'refused'), file('fine', 'fits')]
const paths = (files: readonly FolderFile[]) => files.map(({ path }) => path)

test('a conflict is open until it is chosen for, whatever it is called', () => {
  expect(paths(openConflicts(FILES, {}))).toEqual(['both', 'constructor'])
  expect(paths(openConflicts(FILES, { both: 'keep_mine' }))).toEqual(['constructor'])
})

test('what fits is written, and what the conversation’s file was chosen for', () => {
  expect(paths(applicable(FILES, { both: 'keep_mine', constructor: 'take_theirs' } as const))).toEqual([
    'constructor',
    'fine',
  ])
})

test('only conflicts of now are sent', () => {
  const choices = { both: 'keep_mine', fine: 'take_theirs', gone: 'keep_mine' } as const
  expect(toChoices(FILES, choices)).toEqual([{ path: 'both', choice: 'keep_mine' }])
})
