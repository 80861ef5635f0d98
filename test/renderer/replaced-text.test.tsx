import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TaskNotice } from '../../renderer/pages/launcher/TaskNotice.tsx'
import { EMPTY_DRAFT, type LaunchDraft, parseDraft } from '../../renderer/state/launch/launch.ts'
import {
  afterStart,
  authorsOf,
  takenUpAgain,
  withLinkText,
  withoutReplacing,
} from '../../renderer/state/launch/replaced-text.ts'

const MINE = { ...EMPTY_DRAFT, text: 'Mine.' }
const LINKED = withLinkText(MINE, 'First.')

const typed = (draft: LaunchDraft, text: string) => ({ ...draft, text })
const takenOut = (draft: LaunchDraft) => ({ ...draft, ...withoutReplacing(draft) })
const notices = (draft: LaunchDraft, problem?: 'unknown') =>
  renderToStaticMarkup(<TaskNotice problem={problem} draft={draft} onChange={() => {}} />)

test('what was typed before a link is back once its task is started or taken out', () => {
  expect(LINKED.text).toBe('First.')
  expect({ ...LINKED, ...afterStart(LINKED) }).toEqual(MINE)
  expect(takenOut(LINKED)).toEqual(MINE)
  expect(takenOut(withLinkText(LINKED, 'Second.'))).toEqual(MINE)
  expect(afterStart(MINE)).toEqual({ text: '', replaced: [] })
  expect(parseDraft(JSON.stringify(LINKED))).toEqual(LINKED)
})

test('a second link keeps what was changed in the text of the first, and what was typed before that', () => {
  const changed = typed(LINKED, 'First, but better.')
  const second = withLinkText(changed, 'Second.')
  expect(takenOut(second)).toEqual(changed)
  const started = { ...second, ...afterStart(second) }
  expect(started).toEqual(changed)
  expect({ ...started, ...afterStart(started) }).toEqual(MINE)
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

test('what was being written is kept while a task whose start failed is taken up again', () => {
  const failed = { ...EMPTY_DRAFT, text: 'Failed.', repository: 'octocat/hello' }
  const again = takenUpAgain(MINE, failed)
  expect(again).toMatchObject({ text: 'Failed.', repository: 'octocat/hello' })
  expect(afterStart(again)).toEqual({ text: 'Mine.', replaced: [] })
  expect(takenOut(typed(again, 'Failed. Not now.'))).toMatchObject({ text: 'Mine.\n\nNot now.' })
  expect(notices(again)).toContain('Put it back')
  const second = withLinkText(again, 'First.')
  expect(takenOut(second)).toEqual(again)
  for (const empty of [EMPTY_DRAFT, typed(MINE, ' '), typed(MINE, 'Failed.')]) {
    expect(takenUpAgain(empty, failed)).toEqual(failed)
  }
  expect(afterStart(takenUpAgain(typed(LINKED, ''), failed))).toEqual({ text: 'Mine.', replaced: [] })
})
