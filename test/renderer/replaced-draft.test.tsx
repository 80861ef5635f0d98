import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TaskNotice } from '../../renderer/pages/launcher/TaskNotice.tsx'
import { EMPTY_DRAFT, type LaunchDraft, parseDraft } from '../../renderer/state/launch/launch.ts'
import {
  afterStart,
  authorsOf,
  isSameTask,
  losesSome,
  placeOf,
  replacedByTask,
  withLinkText,
  withoutPlace,
  withoutReplacing,
} from '../../renderer/state/launch/replaced-draft.ts'

const MINE = { ...EMPTY_DRAFT, text: 'Mine.' }
const LINKED = withLinkText(MINE, 'First.')

const typed = (draft: LaunchDraft, text: string) => ({ ...draft, text })
const takenOut = (draft: LaunchDraft) => ({ ...draft, ...withoutReplacing(draft) })
const notices = (draft: LaunchDraft, problem?: 'unknown') =>
  renderToStaticMarkup(<TaskNotice problem={problem} draft={draft} onBack={() => {}} />)

test('what was typed before a link is back once its task is started or taken out', () => {
  expect(LINKED.text).toBe('First.')
  expect(afterStart(LINKED)).toEqual(MINE)
  expect(takenOut(LINKED)).toEqual(MINE)
  expect(takenOut(withLinkText(LINKED, 'Second.'))).toEqual(MINE)
  expect(afterStart(MINE)).toEqual(EMPTY_DRAFT)
  expect(parseDraft(JSON.stringify(LINKED))).toEqual(LINKED)
})

test('a second link keeps what was changed in the text of the first, and what was typed before that', () => {
  const changed = typed(LINKED, 'First, but better.')
  const second = withLinkText(changed, 'Second.')
  expect(takenOut(second)).toEqual(changed)
  const started = afterStart(second)
  expect(started).toEqual(changed)
  expect(afterStart(started)).toEqual(MINE)
})

test('a text that was changed is not said to be all the link’s, and nothing that was typed is taken out with it', () => {
  expect(authorsOf(MINE)).toBeNull()
  expect(authorsOf(LINKED)).toBe('link')
  expect(authorsOf(typed(LINKED, 'First. And this.'))).toBe('both')
  expect(takenOut(typed(LINKED, 'First. And this.'))).toEqual({ ...MINE, text: 'Mine.\n\nAnd this.' })
  expect(takenOut(typed(LINKED, 'Now: First.'))).toEqual({ ...MINE, text: 'Mine.\n\nNow:' })
  expect(takenOut(typed(LINKED, ' '))).toEqual(MINE)
  expect(withoutReplacing(typed(LINKED, 'Fist.'))).toBeNull()
})

test('the notice says whose words they are, also beside a link that was refused', () => {
  expect(notices(MINE)).toBe('')
  expect(notices(LINKED)).toContain('Whoever made the link wrote it.')
  const both = notices(LINKED, 'unknown')
  expect(both).toContain('The link cannot be opened.')
  expect(both).toContain('A link filled in this task.')
  const changed = notices(typed(LINKED, 'Fist.'))
  expect(changed).toContain('it was changed since')
  expect(changed).not.toContain('Whoever made the link wrote it.')
  expect(changed).not.toContain('Take it out')
  expect(notices(typed(LINKED, 'First. And this.'))).toContain('Take it out')
})

const FAILED = { ...EMPTY_DRAFT, text: 'Failed.', repository: 'octocat/hello', plan: true }
/** Another in every field that it has. */
const OTHER: LaunchDraft = {
  ...MINE,
  folder: '/srv/shop',
  folderChanges: false,
  model: 'openai/small',
  network: 'none',
  attempts: [{ model: 'openai/large', profile: '' }],
  check: 'npm test',
  steps: '12',
  plan: true,
  confirmation: 'always',
}

test('all of the task that was begun comes back once the one that took its place is started, or at a click', () => {
  const again = replacedByTask(OTHER, FAILED, losesSome(OTHER, FAILED))
  expect(again).toMatchObject({ text: 'Failed.', repository: 'octocat/hello', folder: '', steps: '' })
  expect(afterStart(again)).toEqual(OTHER)
  expect(takenOut({ ...again, steps: '99' })).toEqual(OTHER)
  expect(parseDraft(JSON.stringify(again))).toEqual(again)
  expect(notices(again)).toContain('Put it back')
  expect(notices(again)).toContain('Mine.')
  const second = replacedByTask(again, { ...FAILED, text: 'Failed too.' }, true)
  expect(takenOut(takenOut(second))).toEqual(OTHER)
  expect(takenOut(withLinkText(again, 'First.'))).toEqual(again)
})

test('what was typed into the task that took the place of another is kept below it', () => {
  const again = replacedByTask(MINE, FAILED, true)
  expect(takenOut(typed(again, 'Failed. Not now.'))).toEqual({ ...MINE, text: 'Mine.\n\nNot now.' })
  expect(takenOut(typed(again, 'Mended.'))).toEqual({ ...MINE, text: 'Mine.\n\nMended.' })
  expect(notices(typed(again, 'Mended.'))).toContain('Put it back')
})

test('a launcher that has nothing of its own is not said to be replaced', () => {
  const left = afterStart(FAILED)
  expect(left).toMatchObject({ text: '', repository: 'octocat/hello', plan: false })
  for (const draft of [EMPTY_DRAFT, left, FAILED, typed(EMPTY_DRAFT, ' '), typed(FAILED, 'Failed. ')]) {
    expect(losesSome(draft, FAILED)).toBe(false)
  }
  expect(replacedByTask(left, FAILED, false)).toEqual(FAILED)
  for (const fields of [{ text: 'Mine.' }, { branch: 'next' }, { steps: '3' }, { folderChanges: false }]) {
    expect(losesSome({ ...EMPTY_DRAFT, ...fields }, FAILED)).toBe(true)
  }
  expect(losesSome(typed(LINKED, ''), FAILED)).toBe(true)
})

test('a task that takes the place of one that may be lost keeps what is below that', () => {
  const again = replacedByTask(OTHER, FAILED, true)
  const edited = { ...FAILED, text: 'Failed, and again.' }
  const second = replacedByTask(again, edited, losesSome(again, edited))
  expect(losesSome(again, again)).toBe(false)
  const same = replacedByTask(again, FAILED, losesSome(again, FAILED))
  expect(takenOut(same)).toEqual(OTHER)
  expect(takenOut(second)).toEqual(again)
  const cleared = { ...EMPTY_DRAFT, replaced: again.replaced }
  expect(takenOut(replacedByTask(cleared, edited, losesSome(cleared, edited)))).toEqual(OTHER)
})

test('a started task is found where it was set aside, and what else was set aside stays', () => {
  const second = replacedByTask(replacedByTask(OTHER, MINE, true), FAILED, true)
  expect(placeOf(second, parseDraft(JSON.stringify(MINE)))).toBe(1)
  expect(placeOf(second, FAILED)).toBeNull()
  expect(withoutPlace(second, 1).isLess).toBe(true)
  expect(takenOut(withoutPlace(second, 1).draft)).toEqual(OTHER)
  expect(takenOut(withoutPlace(second, 0).draft)).toEqual(MINE)
  const linked = withoutPlace(replacedByTask(LINKED, FAILED, true), 0)
  expect(linked.isLess).toBe(false)
  expect(takenOut(linked.draft)).toEqual(MINE)
  expect(isSameTask(second, FAILED)).toBe(true)
  expect(isSameTask(typed(MINE, 'Mine, and more.'), MINE)).toBe(false)
})
