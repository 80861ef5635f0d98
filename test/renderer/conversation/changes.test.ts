import { expect, test } from 'vitest'
import { changesOf, shownChanges } from '../../../renderer/state/conversation/changes.ts'
import { EventLog, edited, view } from './events.ts'

function logOf(...changes: Parameters<typeof edited>[1][]) {
  const eventLog = new EventLog()
  for (const change of changes) eventLog.answer(eventLog.call(view('/a.ts')), edited('/a.ts', change))
  return eventLog.events
}

test('several edits of a file are one change from the first before to the last after', () => {
  const events = logOf({ old_content: '1', new_content: '2' }, { old_content: '2', new_content: '3' })
  expect(changesOf(events)).toEqual([{ path: '/a.ts', before: '1', after: '3', edits: 2, complete: true }])
})

test('a created file has no before', () => {
  const events = logOf({ command: 'create', prev_exist: false, new_content: 'new' })
  expect(changesOf(events)).toMatchObject([{ before: null, after: 'new' }])
})

test('an edit that was undone leaves no change, a failed one and a view neither', () => {
  const undone = logOf(
    { old_content: '1', new_content: '2' },
    { command: 'undo_edit', old_content: '2', new_content: '1' },
  )
  expect(changesOf(undone)).toEqual([])
  expect(changesOf(logOf({ is_error: true, new_content: 'x' }, { command: 'view' }))).toEqual([])
})

test('a change whose texts were too large to record is listed as incomplete', () => {
  expect(changesOf(logOf({}))).toMatchObject([{ path: '/a.ts', complete: false }])
})

test('a patch changes each of its files; one that moved is gone at its old place', () => {
  const eventLog = new EventLog()
  eventLog.answer(eventLog.call({ kind: 'ApplyPatchAction', patch: '' }), {
    kind: 'ApplyPatchObservation',
    content: [],
    is_error: false,
    message: '',
    fuzz: 0,
    commit: {
      changes: {
        'new.ts': { type: 'add', new_content: 'n' },
        'old.ts': { type: 'delete', old_content: 'o' },
        'from.ts': { type: 'update', old_content: 'f', new_content: 't', move_path: 'to.ts' },
      },
    },
  })
  expect(changesOf(eventLog.events).map(({ path, before, after }) => [path, before, after])).toEqual([
    ['new.ts', null, 'n'],
    ['old.ts', 'o', null],
    ['from.ts', 'f', null],
    ['to.ts', null, 't'],
  ])
})

test('a file that a patch names from the working directory on is the one that the file editor names in full', () => {
  const eventLog = new EventLog()
  eventLog.answer(
    eventLog.call(view('/workspace/project/a.ts')),
    edited('/workspace/project/a.ts', { old_content: '1', new_content: '2' }),
  )
  eventLog.answer(eventLog.call({ kind: 'ApplyPatchAction', patch: '' }), {
    kind: 'ApplyPatchObservation',
    content: [],
    is_error: false,
    message: '',
    fuzz: 0,
    commit: { changes: { 'a.ts': { type: 'update', old_content: '2', new_content: '3' } } },
  })
  expect(changesOf(eventLog.events)).toMatchObject([
    { path: '/workspace/project/a.ts', before: '1', after: '3', edits: 2 },
  ])
})

test('what git sees is told once: an edit that is listed already is not listed again', () => {
  const edits = changesOf(logOf({ command: 'create', prev_exist: false, new_content: 'new' }))
  const seen = [
    { status: 'ADDED', path: 'a.ts' },
    { status: 'UPDATED', path: 'lib/a.ts' },
    { status: 'DELETED', path: 'b.ts' },
  ] as const
  const shown = shownChanges(edits, seen, true)
  expect(shown.edits).toEqual(edits)
  expect(shown.others.map(({ path }) => path)).toEqual(['lib/a.ts', 'b.ts'])
})

test('while older events are not loaded, git tells the whole change of a file that was edited again', () => {
  const [first, second] = logOf({ old_content: '1', new_content: '2' }, { old_content: '2', new_content: '3' }).slice(2)
  const edits = changesOf([first, second].filter(event => event !== undefined))
  expect(edits).toMatchObject([{ path: '/a.ts', before: '2' }])
  const seen = [{ status: 'UPDATED', path: 'a.ts' }] as const
  expect(shownChanges(edits, seen, false)).toEqual({ edits: [], others: seen })
  expect(shownChanges(edits, [], false)).toEqual({ edits, others: [] })
})
