import { BOUNDS } from '../domain/bounds.ts'
import { type Fields, isFields, readDocument, type Tree } from './document.ts'
import { envFilesOf, profilesOf } from './fields.ts'
import { includesIn } from './include.ts'
import { inRepository } from './mounts.ts'
import { ComposeProblem } from './problem.ts'
import { refusalOf } from './refusals.ts'
import { planService, type ServiceContext } from './service.ts'
import type { ComposePlan, LeftOutService, ServicePlan } from './service-plan.ts'

/** What one compose file says. */
export interface ComposeFile {
  services: Map<string, Fields>
  /** Entries of its field `include`. */
  includes: Tree[]
}

/** @param variables those of `.env` beside it, and no others @throws ComposeProblem */
export function readComposeFile(text: string, variables: ReadonlyMap<string, string>): ComposeFile {
  const { services, volumes, include } = readDocument(text, variables)
  checkVolumes(volumes)
  const found = Object.entries(isFields(services) ? services : {})
  return {
    services: new Map(found.map(([name, fields]) => [name, isFields(fields) ? fields : {}])),
    includes: includesIn(include),
  }
}

/** Those of a later file over those of the ones before it. */
export function mergeServices(
  base: ReadonlyMap<string, Fields>,
  over: ReadonlyMap<string, Fields>,
): Map<string, Fields> {
  const merged = new Map(base)
  for (const [name, fields] of over) merged.set(name, merge(base.get(name) ?? {}, fields))
  return merged
}

/** A volume of another kind can be any folder of this machine. @throws ComposeProblem */
function checkVolumes(volumes: Tree | undefined): void {
  for (const [name, fields] of Object.entries(isFields(volumes) ? volumes : {})) {
    if (!isFields(fields)) continue
    const { driver, driver_opts, external } = fields
    if ((driver && driver !== 'local') || driver_opts || external) {
      throw new ComposeProblem(
        `Its volume ${name.slice(0, 60)} is to be made in a way of its own (driver, driver_opts, external). Leave that out.`,
      )
    }
  }
}

/** Lists of which a later file adds to the earlier one's. */
const JOINED = new Set(['ports', 'expose', 'volumes', 'tmpfs', 'env_file', 'depends_on', 'environment'])

function merge(base: Fields, over: Fields): Fields {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = base[name]
    if (before !== undefined && JOINED.has(name)) merged[name] = joined(name, before, value)
    else if (name === 'build') merged[name] = mergedBuild(before, value)
    else if (isFields(before) && isFields(value)) merged[name] = { ...before, ...value }
    else merged[name] = value
  }
  return merged
}

/** The short form is the context alone; arguments add to those before them. */
function mergedBuild(before: Tree | undefined, value: Tree): Tree {
  const whole = (build: Tree | undefined) => (typeof build === 'string' ? { context: build } : build)
  const [base, over] = [whole(before), whole(value)]
  if (!isFields(base) || !isFields(over)) return value
  const args = base.args !== undefined &&
    over.args !== undefined && { args: joined('environment', base.args, over.args) }
  return { ...base, ...over, ...args }
}

function joined(name: string, before: Tree, value: Tree): Tree {
  const listed = (tree: Tree): Tree[] => {
    if (Array.isArray(tree)) return tree
    if (!isFields(tree)) return tree === null ? [] : [tree]
    return Object.entries(tree).map(([key, each]) => (name === 'environment' ? `${key}=${each ?? ''}` : key))
  }
  if (isFields(before) && isFields(value)) return { ...before, ...value }
  return [...listed(before), ...listed(value)]
}

/** Paths of the files of variables that services name, from the root of the repository. */
export function envFilePaths(services: ReadonlyMap<string, Fields>, folder: string): string[] {
  const named = [...services.values()].flatMap(envFilesOf)
  return [
    ...new Set(
      named.flatMap(({ path }) =>
        attempt(
          () => [inRepository(path, folder)],
          () => [],
        ),
      ),
    ),
  ]
}

/** What of the services is started, and what is not. Never throws for what a file says. */
export function planServices(services: ReadonlyMap<string, Fields>, context: ServiceContext): ComposePlan {
  const leftOut: LeftOutService[] = []
  const plans: ServicePlan[] = []
  const leave = (name: string, reason: string) => void leftOut.push({ name: name.slice(0, 100), reason })
  for (const [name, fields] of services) {
    const reason = profileReason(fields) ?? refusalOf(fields)
    if (reason !== null) leave(name, reason)
    else if (plans.length >= BOUNDS.services.limit) leave(name, `Only ${BOUNDS.services.limit} services are started.`)
    else
      attempt(
        () => void plans.push(planService(name, fields, context)),
        ({ message }) => leave(name, message),
      )
  }
  const clash = clashing(plans)
  for (const { name, reason } of clash) leave(name, reason)
  const { ordered, circular } = inOrder(plans.filter(({ name }) => !clash.some(each => each.name === name)))
  for (const { name } of circular) leave(name, 'It depends on itself by way of others.')
  return { services: ordered, leftOut }
}

function profileReason(fields: Fields): string | null {
  const profiles = profilesOf(fields)
  if (profiles.length === 0) return null
  return `It belongs to the profile ${profiles.join(', ').slice(0, 100)}, which nobody has chosen.`
}

/** Those of which another one before them has a port already: all listen in one network. */
export function clashing(services: readonly Pick<ServicePlan, 'name' | 'ports'>[]): LeftOutService[] {
  const owners = new Map<number, string>()
  return services.flatMap(({ name, ports }) => {
    const taken = ports.find(port => owners.has(port))
    if (taken !== undefined) {
      const reason = `${owners.get(taken)} listens on port ${taken} already, and the services of a sandbox share their ports. Let one of them listen on another port, and name that under \`expose\`.`
      return [{ name, reason }]
    }
    for (const port of ports) owners.set(port, name)
    return []
  })
}

/** What somebody depends on stands before it; what is not started is not waited for. */
function inOrder(plans: readonly ServicePlan[]): { ordered: ServicePlan[]; circular: ServicePlan[] } {
  const names = new Set(plans.map(({ name }) => name))
  const known = plans.map(plan => ({ ...plan, dependsOn: plan.dependsOn.filter(({ name }) => names.has(name)) }))
  const ordered: ServicePlan[] = []
  let waiting = known
  while (waiting.length > 0) {
    const placed = new Set(ordered.map(({ name }) => name))
    const free = waiting.filter(({ dependsOn }) => dependsOn.every(({ name }) => placed.has(name)))
    if (free.length === 0) break
    ordered.push(...free)
    waiting = waiting.filter(plan => !free.includes(plan))
  }
  return { ordered, circular: waiting }
}

function attempt<T>(work: () => T, otherwise: (problem: ComposeProblem) => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ComposeProblem) return otherwise(error)
    throw error
  }
}
