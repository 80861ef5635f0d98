import { expect, test } from 'vitest'
import type { Engine } from '../../../server/docker/engine.ts'
import { AppError } from '../../../server/domain/errors.ts'
import { createOneShot, NOBODY } from '../../../server/sandbox/network/one-shot.ts'

const TASK = { command: ['/bin/true'], network: { of: 'a' }, extraHosts: [], capabilities: [], user: NOBODY } as const

/** An engine that lacks the image until it is loaded, which `loads` says whether it can be. */
function parts({ loads }: { loads: boolean }) {
  const held = new Set<string>()
  const users: (string | undefined)[] = []
  let hasImage = false
  const engine = {
    createContainer: async ({ user }: { user?: string }) => {
      if (!hasImage) throw new AppError('image_missing', 'There is no such image.')
      users.push(user)
      return 'id'
    },
  } as unknown as Engine
  const images = {
    reference: 'atelier/sandbox:1',
    ensure: async () => {
      if (!loads) throw new AppError('engine_failed', 'It cannot be loaded.')
      hasImage = true
    },
  }
  const hold = (name: string) => {
    held.add(name)
    return () => void held.delete(name)
  }
  const options = { connection: { engine: () => engine }, images, instanceId: 'i', hold, signal: AbortSignal.abort() }
  return { options, held, users }
}

test('the image is loaded where the engine lacks it, and the container is held until it is released', async () => {
  const { options, held, users } = parts({ loads: true })
  const { id, release } = await createOneShot(options, {
    ...TASK,
    command: [...TASK.command],
    extraHosts: [],
    capabilities: [],
  })
  expect([id, users, held.size]).toEqual(['id', [NOBODY], 1])
  release()
  expect(held.size).toBe(0)
})

test('nothing is held where it cannot be made', async () => {
  const { options, held } = parts({ loads: false })
  const task = { ...TASK, command: [...TASK.command], extraHosts: [], capabilities: [] }
  await expect(createOneShot(options, task)).rejects.toMatchObject({ code: 'engine_failed' })
  expect(held.size).toBe(0)
})
