import { expect, test } from 'vitest'
import type { Activity } from '../../electron/service/calls.ts'
import { trayMenu, trayState } from '../../electron/tray/menu.ts'

const NO_ACTIVITY: Pick<Activity, 'working' | 'waiting'> = { working: [], waiting: [] }
const active = (title: string | null, isSubAgent = false) => ({ id: 'f'.repeat(32), title, isSubAgent })
const actions = { open: () => {}, newTask: () => {}, showConversation: () => {}, quit: () => {}, stay: () => {} }
const labels = (working: ReturnType<typeof active>[], waiting: ReturnType<typeof active>[] = []) =>
  trayMenu({ working, waiting }, actions, false).flatMap(({ label }) => (label === undefined ? [] : [label]))

test('what waits for a person comes before what works', () => {
  expect(trayState(NO_ACTIVITY)).toBe('idle')
  expect(trayState({ working: [active('a')], waiting: [] })).toBe('working')
  expect(trayState({ working: [active('a')], waiting: [active('b')] })).toBe('waiting')
  expect(labels([active('a')], [active('b')]).slice(0, 4)).toEqual(['Waiting for You', 'b', 'Working', 'a'])
})

test('a sub-agent at work is no line of its own, and one that waits is', () => {
  expect(labels([active('mine'), active('helper', true)], [active('asks', true)]).slice(0, 4)).toEqual([
    'Waiting for You',
    'asks',
    'Working',
    'mine',
  ])
})

test('that the app quits once no agent works stands before Quit, with the way back', () => {
  const shown = trayMenu(NO_ACTIVITY, actions, true).map(({ label }) => label)
  expect(shown.slice(-3)).toEqual(['Quits When Agents Have Finished', 'Do Not Quit', 'Quit'])
})

test('many conversations do not make the menu longer than a screen', () => {
  const shown = labels(Array.from({ length: 20 }, (_, index) => active(`c${index}`)))
  expect(shown.slice(0, 10)).toEqual(['Working', 'c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', '12 more'])
})

test('a title cannot pretend to be several lines, turn its text around, or mark a key', () => {
  expect(labels([active('one\ntwo\u202egnp.exe')])[1]).toBe('one two gnp.exe')
  expect(labels([active('A & B')])[1]).toBe('A && B')
  expect(labels([active(' \u200b ')])[1]).toBe('Untitled conversation')
  expect([...(labels([active('😀'.repeat(80))])[1] ?? '')]).toHaveLength(60)
})
