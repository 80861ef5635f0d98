import { isImageReference, isPersonalImage } from '../api/v1/sandbox/image-reference.ts'
import { serviceBuild } from './build.ts'
import type { Fields } from './document.ts'
import { readEnvFile } from './env-file.ts'
import { envFilesOf, readFields, type ServiceFields } from './fields.ts'
import { inRepository, mountsOf } from './mounts.ts'
import { ComposeProblem } from './problem.ts'
import { DEPENDENCY_CONDITIONS, type HealthCheck, type RestartPolicy, type ServicePlan } from './service-plan.ts'

/** Of a host name: what resolvers and the file of hosts take for one. */
const NAME = /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/i
/** The sandbox itself, and this machine as it names it. */
const RESERVED = /^(localhost|host|gateway)$/i

export interface ServiceContext {
  /** Of the compose file, from the root of the repository. */
  folder: string
  /** Files of variables by their path from the root of the repository, as far as they are there. */
  envFiles: ReadonlyMap<string, string>
  /** Dockerfiles in the same way. */
  dockerfiles: ReadonlyMap<string, string>
}

/** @throws ComposeProblem why it cannot be started */
export function planService(name: string, fields: Fields, context: ServiceContext): ServicePlan {
  if (!isHostName(name)) throw new ComposeProblem('Its name cannot be the name of a host.')
  const read = readFields(fields)
  const build = serviceBuild(read.build, context)
  const limits = read.deploy?.resources?.limits
  return {
    name,
    aliases: aliasesOf(name, read),
    // The name that a built one is to get is taken for nothing: it could be that of another image.
    image: build ? `./${build.context}` : imageOf(read),
    build,
    command: read.command ?? [],
    entrypoint: read.entrypoint ?? null,
    env: environmentOf(fields, read, context),
    ports: [...new Set([...(read.ports ?? []), ...(read.expose ?? [])])],
    ...mountsOf(read, context.folder),
    workingDir: read.working_dir ?? null,
    user: read.user ?? null,
    health: healthOf(read),
    dependsOn: dependenciesOf(read),
    memoryBytes: read.mem_limit ?? limits?.memory ?? null,
    cpus: read.cpus ?? limits?.cpus ?? null,
    shmBytes: read.shm_size ?? null,
    stopGraceSeconds: read.stop_grace_period == null ? null : Math.ceil(read.stop_grace_period / 1000),
    restart: restartOf(read),
  }
}

/** @throws ComposeProblem */
function imageOf({ image }: ServiceFields): string {
  if (!isImageReference(image)) throw new ComposeProblem(`Its image ${image.slice(0, 100)} has no usable name.`)
  if (isPersonalImage(image)) throw new ComposeProblem('Its image is one of a sandbox of yours.')
  return withTag(image)
}

/** Without a tag an engine would pull every tag that there is. */
function withTag(image: string): string {
  return /[:@][^/]*$/.test(image) ? image : `${image}:latest`
}

function isHostName(name: string): boolean {
  return NAME.test(name) && !RESERVED.test(name)
}

function aliasesOf(name: string, { hostname, container_name, networks }: ServiceFields): string[] {
  const all = [hostname, container_name, ...(networks ?? [])].filter(each => each != null)
  return [...new Set(all)].filter(each => each !== name && isHostName(each)).slice(0, 10)
}

/** @throws ComposeProblem */
function environmentOf(
  fields: Fields,
  { environment }: ServiceFields,
  context: ServiceContext,
): Record<string, string> {
  const variables = new Map<string, string>()
  for (const { path, required } of envFilesOf(fields)) {
    const inside = inRepository(path, context.folder)
    const text = context.envFiles.get(inside)
    if (text !== undefined) for (const [key, value] of readEnvFile(text)) variables.set(key, value)
    else if (required) throw new ComposeProblem(`Its file of variables ${inside} is not there, or too large.`)
  }
  for (const [key, value] of Object.entries(environment ?? {})) variables.set(key, value)
  return Object.fromEntries(variables)
}

const HEALTH = { interval: 30_000, timeout: 30_000, startPeriod: 0, retries: 3 } as const
const MIN_INTERVAL = 500
const MAX_TIME = 600_000

function healthOf({ healthcheck }: ServiceFields): ServicePlan['health'] {
  if (!healthcheck) return null
  const { test, interval, timeout, start_period, retries, disable } = healthcheck
  if (disable || test?.[0] === 'NONE') return 'none'
  if (!test) return null
  if (test[0] !== 'CMD' && test[0] !== 'CMD-SHELL') {
    throw new ComposeProblem('Its `healthcheck.test` begins with none of CMD, CMD-SHELL and NONE.')
  }
  const time = (value: number | undefined, standard: number) =>
    Math.min(MAX_TIME, Math.max(MIN_INTERVAL, value ?? standard))
  const health: HealthCheck = {
    test,
    interval: time(interval, HEALTH.interval),
    timeout: time(timeout, HEALTH.timeout),
    startPeriod: Math.min(MAX_TIME, start_period ?? HEALTH.startPeriod),
    retries: Math.min(100, Math.max(1, Math.round(retries ?? HEALTH.retries))),
  }
  return health
}

function dependenciesOf({ depends_on }: ServiceFields): ServicePlan['dependsOn'] {
  return (depends_on ?? []).map(({ name, condition }) => {
    const known = DEPENDENCY_CONDITIONS.find(each => each === condition)
    if (!known) throw new ComposeProblem(`It waits for ${name.slice(0, 60)} in a way that is not supported.`)
    return { name, condition: known }
  })
}

const MAX_ATTEMPTS = 1000

/** https://docs.docker.com/reference/compose-file/services/#restart @throws ComposeProblem */
function restartOf({ restart, deploy }: ServiceFields): RestartPolicy | null {
  if (restart != null) {
    const [policy, attempts] = restart.split(':')
    if (policy === 'always' || policy === 'unless-stopped') return { on: 'end', attempts: 0 }
    if (policy === 'on-failure') return { on: 'failure', attempts: attemptsOf(Number(attempts ?? 0)) }
    // YAML of old takes `no` for a boolean.
    if (policy === 'no' || policy === 'false' || policy === '') return null
    throw new ComposeProblem('Its `restart` is none of no, always, on-failure and unless-stopped.')
  }
  const { condition = 'none', max_attempts = 0 } = deploy?.restart_policy ?? {}
  if (condition === 'none') return null
  return { on: condition === 'on-failure' ? 'failure' : 'end', attempts: attemptsOf(max_attempts) }
}

function attemptsOf(count: number): number {
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), MAX_ATTEMPTS) : 0
}
