import type { ComposeProject } from '../../compose/read.ts'
import type { ServicePlan } from '../../compose/service-plan.ts'
import { AppError } from '../../domain/errors.ts'
import type { ServiceContainer } from './container.ts'

/** @throws AppError not_found, bad_request */
export function usable<T extends { project: ComposeProject }>(found: T | null): T {
  if (!found) throw new AppError('not_found', 'There is no compose file in the repository.')
  if (found.project.problem !== null) throw new AppError('bad_request', found.project.problem)
  return found
}

/** With those that they depend on, in the order of the project. @throws AppError not_found, bad_request */
export function chosen({ plan }: ComposeProject, names: readonly string[] | null): ServicePlan[] {
  if (names === null) return plan.services
  const wanted = new Set<string>()
  const add = (name: string) => {
    const found = plan.services.find(each => each.name === name)
    if (!found || wanted.has(name)) return
    wanted.add(name)
    for (const other of found.dependsOn) add(other.name)
  }
  for (const name of names) {
    const left = plan.leftOut.find(each => each.name === name)
    if (left) throw new AppError('bad_request', `The service ${name} is not started. ${left.reason}`)
    add(name)
    if (!wanted.has(name))
      throw new AppError('not_found', `The compose file has no service ${name}. Name one of its services.`)
  }
  return plan.services.filter(({ name }) => wanted.has(name))
}

/** @throws AppError not_found */
export function named(services: readonly ServiceContainer[], names: readonly string[] | null): ServiceContainer[] {
  if (names === null) return [...services]
  return names.map(name => {
    const found = services.find(each => each.name === name)
    if (found) return found
    throw new AppError('not_found', `No service ${name} has been started. Start it first.`)
  })
}
