import { setTimeout as delay } from 'node:timers/promises'
import { inject, type World } from './faults.ts'
import { orphanProblems } from './orphans.ts'
import type { Fault, Round } from './plan.ts'
import type { Recovery } from './report.ts'
import type { User } from './user.ts'

/** A conversation that does not go on within this time never will. */
const RECOVERY_MS = 60_000
const ORPHANS_MS = 25_000
const HEALTH_MS = 10_000

/** Faults while users work, then everything that must hold. @returns how each fault was recovered from */
export async function runRound(round: Round, world: World, report: (problem: string) => void): Promise<Recovery[]> {
  const working = new AbortController()
  const { replaced } = round
  const work = world.users.map(async (user, index) => {
    if (index === replaced) await user.leave(working.signal)
    await user.work(working.signal)
  })
  await Promise.all(round.faults.map(fault => meet(fault, world)))
  working.abort()
  await Promise.all(work)
  const problems = new Map<User | null, number>()
  const note = (user: User | null, found: string) => {
    problems.set(user, (problems.get(user) ?? 0) + 1)
    report(found)
  }
  const healed = Date.now()
  await world.service.ensureRunning()
  if (!(await becomesHealthy(world))) {
    note(null, `/health did not answer within ${HEALTH_MS / 1000} s.`)
    await world.service.end('SIGKILL')
    await world.service.ensureRunning()
  }
  const times = new Map<User, number | null>()
  await Promise.all(
    world.users.map(async user => {
      const reason = await user.prove(RECOVERY_MS).then(
        () => undefined,
        (error: Error) => error.message,
      )
      times.set(user, reason === undefined ? Date.now() - healed : null)
      if (reason !== undefined) note(user, reason)
      else for (const found of await user.check().catch(unreadable)) note(user, `${found} ${user.describe()}`)
    }),
  )
  for (const found of await orphanProblems(world, ORPHANS_MS)) note(null, found)
  return round.faults.map(fault => recoveryFrom(fault, world, times, problems))
}

async function meet(fault: Fault, world: World): Promise<void> {
  await delay(fault.after)
  const heal = await inject(fault, world)
  await delay(fault.lasts)
  await heal()
}

async function becomesHealthy({ service }: World): Promise<boolean> {
  const deadline = Date.now() + HEALTH_MS
  while (!(await service.isHealthy())) {
    if (Date.now() > deadline) return false
    await delay(50)
  }
  return true
}

function unreadable(error: Error): string[] {
  return [`What was done could not be read: ${error.message}.`]
}

function recoveryFrom(
  { kind, user }: Fault,
  { users }: World,
  times: ReadonlyMap<User, number | null>,
  problems: ReadonlyMap<User | null, number>,
): Recovery {
  const met = user === null ? users : users.slice(user, user + 1)
  const all = met.map(one => times.get(one) ?? null)
  const milliseconds = all.includes(null) ? null : Math.max(...all.map(Number))
  const found = [...met, null].reduce((sum, one) => sum + (problems.get(one) ?? 0), 0)
  return { kind, milliseconds, problems: found }
}
