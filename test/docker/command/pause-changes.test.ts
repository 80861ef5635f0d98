import { expect, it } from 'vitest'
import { PauseChanges } from '../../../server/docker/command/pause-changes.ts'

it('a container is not resumed before its pause was surely reported, and keeps no other one waiting', async () => {
  const changes = new PauseChanges()
  const done: string[] = []
  const change = (id: string, what: string) => changes.change(id, async () => void done.push(`${id} ${what}`))
  await change('one', 'pauses')
  const resumed = change('one', 'goes on')
  await change('other', 'pauses')
  expect(done).toEqual(['one pauses', 'other pauses'])
  await resumed
  expect(done).toEqual(['one pauses', 'other pauses', 'one goes on'])
})

it('changes of one container are made in their order, however soon they are asked for', async () => {
  const changes = new PauseChanges()
  const done: string[] = []
  const ask = (what: string) => changes.change('one', async () => void done.push(what))
  const all = [ask('pauses'), ask('goes on'), ask('pauses again')]
  await all[1]
  expect(done).toEqual(['pauses', 'goes on'])
  await all[2]
  expect(done).toEqual(['pauses', 'goes on', 'pauses again'])
})

it('a change that fails is reported to whoever asked alone', async () => {
  const changes = new PauseChanges()
  const failure = new Error('no')
  await expect(changes.change('one', () => Promise.reject(failure))).rejects.toBe(failure)
  await changes.change('one', async () => {})
})
