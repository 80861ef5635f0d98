import { expect, it } from 'vitest'
import type { PresentFile } from '../../server/folder/compare.ts'
import { planFiles, readablePaths } from '../../server/folder/plan.ts'

const file = (letter: string, mode = '100644') => ({ mode, object: letter.repeat(40) })
const there = (letter: string): PresentFile => ({ place: 'file', file: file(letter), seen: letter })
const ABSENT: PresentFile = { place: 'absent', file: null, seen: null }
const change = (path: string, letter: string | null, mode = '100644') => ({
  path,
  mode: letter === null ? null : mode,
  object: (letter ?? '0').repeat(40),
})

async function stateOf(
  changes: ReturnType<typeof change>[],
  { base = {}, present = {} }: { base?: Record<string, string>; present?: Record<string, PresentFile> },
) {
  const planned = await planFiles({
    changes,
    base: new Map(Object.entries(base).map(([path, letter]) => [path, file(letter)])),
    present: new Map(Object.entries(present)),
    signal: new AbortController().signal,
  })
  return planned.map(({ path, status, state }) => `${path} ${status} ${state}`)
}

it('a file that is in the folder as it was copied fits', async () => {
  expect(await stateOf([change('a', 'b')], { base: { a: 'a' }, present: { a: there('a') } })).toEqual([
    'a UPDATED fits',
  ])
  expect(await stateOf([change('a', null)], { base: { a: 'a' }, present: { a: there('a') } })).toEqual([
    'a DELETED fits',
  ])
  expect(await stateOf([change('a', 'b')], { present: { a: ABSENT } })).toEqual(['a ADDED fits'])
})

it('a file that changed in the folder, was removed there or was never copied conflicts', async () => {
  expect(await stateOf([change('a', 'b')], { base: { a: 'a' }, present: { a: there('c') } })).toEqual([
    'a UPDATED conflict',
  ])
  expect(await stateOf([change('a', 'b')], { base: { a: 'a' }, present: { a: ABSENT } })).toEqual([
    'a UPDATED conflict',
  ])
  expect(await stateOf([change('a', 'b')], { present: { a: there('c') } })).toEqual(['a ADDED conflict'])
})

it('what the folder has already is left out, and so is the removal of what was never copied', async () => {
  expect(await stateOf([change('a', 'b')], { base: { a: 'a' }, present: { a: there('b') } })).toEqual([])
  expect(await stateOf([change('secret', null)], { present: { secret: there('s') } })).toEqual([])
})

it('names that differ in capitals alone are refused, but for a file that is renamed', async () => {
  const present = { Readme: ABSENT, README: ABSENT, readme: there('a') }
  expect(await stateOf([change('Readme', 'b')], { base: { readme: 'a' }, present })).toEqual(['Readme ADDED refused'])
  expect(await stateOf([change('Readme', 'b'), change('README', 'b')], { present })).toEqual([
    'Readme ADDED refused',
    'README ADDED refused',
  ])
  const renamed = [change('readme', null), change('Readme', 'b')]
  expect(await stateOf(renamed, { base: { readme: 'a' }, present })).toEqual([
    'readme DELETED fits',
    'Readme ADDED fits',
  ])
})

it('a hostile path is not even looked at', () => {
  const changes = [change('../a', 'b'), change('.git/config', 'b'), change('link', 'b', '120000'), change('a', 'b')]
  expect(readablePaths(changes, new Map())).toEqual(['a'])
})
