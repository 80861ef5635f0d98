import { setTimeout as delay } from 'node:timers/promises'
import { deleteAppConversation, searchAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { searchStartTasks } from '../../server/api/v1/conversation/start-tasks.ts'
import { LABEL } from '../../server/docker/container/labels.ts'
import { messageOf } from '../../server/domain/errors.ts'
import { withoutCommon } from '../parts/engine/containers.ts'
import type { World } from './faults.ts'
import { PREPARED } from './service.ts'

const LOOK_MS = 250

/**
 * Waits until the engine has exactly what the conversations need: one container each, the prepared one, and no network or volume
 * that belongs to none. Conversations of nobody, whose beginning was asked for in vain, are deleted first.
 * @returns what is left over or missing when the patience ends
 */
export async function orphanProblems(world: World, patienceMs: number): Promise<string[]> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const found = await look(world).catch(error => ({ problems: [messageOf(error)], left: [] }))
    if (found.problems.length === 0) return []
    if (Date.now() > deadline) {
      // They are told of once.
      for (const name of found.left) await world.engine.ask('DELETE', `/containers/${name}?force=1`)
      return found.problems
    }
    await delay(LOOK_MS)
  }
}

interface Found {
  problems: string[]
  /** Names of containers that belong to no conversation. */
  left: string[]
}

async function look(world: World): Promise<Found> {
  const { client } = world.service
  const { items: tasks } = await client.call(searchStartTasks, { query: { limit: 100 } })
  const starting = tasks.filter(({ status }) => status !== 'READY' && status !== 'ERROR')
  if (starting.length > 0) return only(`${starting.length} starts have not come to an end (${starting[0]?.status}).`)
  const owned = new Set(world.users.map(({ conversationId }) => conversationId))
  const { items } = await client.call(searchAppConversations, { query: { limit: 100 } })
  const strays = items.filter(({ id }) => !owned.has(id))
  for (const { id } of strays) await client.call(deleteAppConversation, { params: { conversation_id: id } })
  if (strays.length > 0) return only(`${strays.length} conversations of nobody were deleted.`)
  return compare(world, new Set(items.map(({ sandbox_id }) => sandbox_id)))
}

function only(problem: string): Found {
  return { problems: [problem], left: [] }
}

interface Labelled {
  Id: string
  Name?: string
  Names?: string[]
  Labels: Record<string, string> | null
  Mounts?: { Name?: string }[]
}

const OF_THE_ENGINE = new Set(['bridge', 'host', 'none'])

async function compare({ engine }: World, wanted: ReadonlySet<string>): Promise<Found> {
  const all: Labelled[] = await engine.ask('GET', '/containers/json?all=1')
  const nameOf = ({ Names }: Labelled) => Names?.[0]?.slice(1) ?? ''
  const instance = all.find(one => wanted.has(nameOf(one)))?.Labels?.[LABEL.instance]
  const isOurs = ({ Labels }: Labelled) => engine.own !== null || Labels?.[LABEL.instance] === instance
  const ours = all.filter(isOurs)
  const names = new Set(ours.map(nameOf))
  const left = withoutCommon([...names].filter(name => !wanted.has(name)))
  const missing = [...wanted].filter(name => !names.has(name))
  const networks: Labelled[] = (await engine.ask('GET', '/networks')).filter(isOurs)
  const volumes: Labelled[] = ((await engine.ask('GET', '/volumes')).Volumes ?? []).filter(isOurs)
  const spare = networks.filter(({ Name = '' }) => !OF_THE_ENGINE.has(Name)).length - wanted.size - PREPARED
  const used = new Set(ours.flatMap(({ Mounts }) => Mounts?.map(mount => mount.Name) ?? []))
  const unused = volumes.filter(({ Name }) => !used.has(Name))
  const problems = [
    ...(left.length > PREPARED ? [`Containers that belong to no conversation: ${left.join(', ')}.`] : []),
    ...(left.length < PREPARED ? ['No sandbox is prepared.'] : []),
    ...(missing.length > 0 ? [`Conversations without their container: ${missing.join(', ')}.`] : []),
    ...(spare > 0 ? [`There are ${spare} more networks than sandboxes.`] : []),
    ...(unused.length > 0 ? [`${unused.length} volumes belong to no container.`] : []),
  ]
  return { problems, left }
}
