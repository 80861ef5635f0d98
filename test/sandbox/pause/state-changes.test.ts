import { expect } from 'vitest'
import type { ContainerStatus, Engine } from '../../../server/docker/engine.ts'
import { StateChanges } from '../../../server/sandbox/pause/state-changes.ts'
import type { Sandbox } from '../../../server/sandbox/state.ts'
import { it } from '../../fixtures/base.ts'

/** A sandbox whose engine answers these questions so, one after the other, and the last one from then on. */
function sandboxThatIs(before: ContainerStatus, ...answers: ContainerStatus[]) {
  const calls: string[] = []
  const withStatus = (status: ContainerStatus) =>
    ({ id: 'sandbox', kind: 'container', container: { id: 'container', status } }) as Sandbox
  let status = before
  const engine = {
    pauseContainer: async () => void calls.push('pause'),
    unpauseContainer: async () => void calls.push('unpause'),
  } as Partial<Engine> as Engine
  const states = new StateChanges({
    connection: { engine: () => engine },
    cache: {
      get: () => withStatus(status),
      refresh: async () => {
        status = answers.shift() ?? status
      },
    },
    networks: { ready: async () => {} },
    shells: { closeOf: () => {} },
    running: { enter: async () => () => {} },
    again: async () => {},
  })
  return { states, calls, sandbox: () => withStatus(status) }
}

it('a resume is over when the engine says so, also where it shows the pause for a while', async () => {
  const { states, calls, sandbox } = sandboxThatIs('paused', 'paused', 'paused', 'running')
  await states.resume(sandbox())
  expect(sandbox()).toMatchObject({ container: { status: 'running' } })
  expect(calls).toEqual(['unpause'])
})

it('so is a pause', async () => {
  const { states, calls, sandbox } = sandboxThatIs('running', 'running', 'paused')
  await states.pause(sandbox())
  expect(sandbox()).toMatchObject({ container: { status: 'paused' } })
  expect(calls).toEqual(['pause'])
})

it('one that somebody else pauses again is not waited for without end', async () => {
  const { states, sandbox } = sandboxThatIs('paused', 'paused')
  await states.resume(sandbox())
  expect(sandbox()).toMatchObject({ container: { status: 'paused' } })
})
