import { z } from 'zod'
import { shellWords } from '../api/event/shell-words.ts'
import type { Fields, Tree } from './document.ts'
import { ComposeProblem } from './problem.ts'
import { byteCount, containerPorts, milliseconds } from './values.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const number = z.union([z.number(), z.string()]).transform(Number).pipe(z.number().nonnegative())
const texts = z.array(scalar)
/** One, or a list of several. */
const oneOrMore = z.union([texts, scalar.transform(one => [one])])
/** A list of words, or a line of them. */
const words = z.union([texts, z.string().transform(shellWords)])
const bytes = z.union([z.string(), z.number()]).transform(checked(byteCount))
const duration = z.string().transform(checked(milliseconds))

/** `NAME=value` in a list, or a map. A name without a value would be this machine's, and is left out. */
export const environmentFields = z.union([
  texts.transform(list =>
    Object.fromEntries(
      list.flatMap(line => {
        const at = line.indexOf('=')
        return at > 0 ? [[line.slice(0, at), line.slice(at + 1)]] : []
      }),
    ),
  ),
  z
    .record(z.string(), scalar.nullable())
    .transform(map =>
      Object.fromEntries(Object.entries(map).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    ),
])

const port = z.union([
  scalar.transform(checked(containerPorts)),
  z
    .object({ target: scalar, protocol: z.string().optional() })
    .transform(checked(({ target, protocol = 'tcp' }) => containerPorts(`${target}/${protocol}`))),
])
const ports = z.array(port).transform(lists => lists.flat())

const healthcheck = z.object({
  test: z.union([z.array(scalar).min(1), z.string().transform(line => ['CMD-SHELL', line])]).optional(),
  interval: duration.optional(),
  timeout: duration.optional(),
  start_period: duration.optional(),
  retries: number.optional(),
  disable: z.boolean().optional(),
})

const mount = z.union([
  z.string(),
  z.object({
    type: z.string(),
    source: z.string().optional(),
    target: z.string(),
    read_only: z.boolean().optional(),
    bind: z.unknown().optional(),
  }),
])

const dependencies = z.union([
  texts.transform(names => names.map(name => ({ name, condition: 'service_started' }))),
  z
    .record(z.string(), z.object({ condition: z.string().default('service_started') }).nullable())
    .transform(map =>
      Object.entries(map).map(([name, each]) => ({ name, condition: each?.condition ?? 'service_started' })),
    ),
])

const envFiles = z.union([
  scalar.transform(path => [{ path, required: true }]),
  z.array(
    z.union([
      scalar.transform(path => ({ path, required: true })),
      z.object({ path: z.string(), required: z.boolean().default(true) }),
    ]),
  ),
])

const networks = z.union([
  texts.transform((): string[] => []),
  z
    .record(z.string(), z.object({ aliases: texts.default([]) }).nullable())
    .transform(map => Object.values(map).flatMap(each => each?.aliases ?? [])),
])

/** A folder, or the fields. */
const build = z.preprocess(
  value => (typeof value === 'string' ? { context: value } : value),
  z.object({
    context: z.string().default('.'),
    dockerfile: z.string().optional(),
    dockerfile_inline: z.string().optional(),
    args: environmentFields.optional(),
    target: z.string().optional(),
    additional_contexts: z.unknown().optional(),
    entitlements: z.unknown().optional(),
    extra_hosts: z.unknown().optional(),
    isolation: z.unknown().optional(),
    network: z.unknown().optional(),
    privileged: z.unknown().optional(),
    secrets: z.unknown().optional(),
    ssh: z.unknown().optional(),
  }),
)
export type BuildFields = z.output<typeof build>

/** What of a service is read, each field in the one form that is used. */
const service = z.object({
  image: z.string().trim().default(''),
  build: build.nullish(),
  command: words.nullish(),
  entrypoint: words.nullish(),
  environment: environmentFields.nullish(),
  env_file: envFiles.nullish(),
  expose: ports.nullish(),
  ports: ports.nullish(),
  volumes: z.array(mount).nullish(),
  tmpfs: oneOrMore.nullish(),
  working_dir: z.string().nullish(),
  user: scalar.nullish(),
  healthcheck: healthcheck.nullish(),
  depends_on: dependencies.nullish(),
  networks: networks.nullish(),
  hostname: z.string().nullish(),
  container_name: z.string().nullish(),
  shm_size: bytes.nullish(),
  mem_limit: bytes.nullish(),
  cpus: number.nullish(),
  stop_grace_period: duration.nullish(),
  restart: scalar.nullish(),
  deploy: z
    .object({
      resources: z.object({ limits: z.object({ memory: bytes, cpus: number }).partial().nullish() }).nullish(),
      restart_policy: z.object({ condition: z.string().default('any'), max_attempts: number.optional() }).nullish(),
    })
    .nullish(),
})
export type ServiceFields = z.output<typeof service>
export type Mount = z.output<typeof mount>

/** @throws ComposeProblem that names the field */
export function readFields(fields: Fields): ServiceFields {
  const read = service.safeParse(fields)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const said = issue?.code === 'custom' ? ` ${issue.message}` : ''
  throw new ComposeProblem(`Its \`${issue?.path.join('.') || 'fields'}\` cannot be read.${said}`)
}

/** Files of variables that a service names; none where they cannot be read, which is said later. */
export function envFilesOf(fields: Fields): { path: string; required: boolean }[] {
  const read = envFiles.nullish().safeParse(fields.env_file)
  return (read.success && read.data) || []
}

/** null where there is none, or it cannot be read, which is said later. */
export function buildOf(fields: Fields): BuildFields | null {
  const read = build.nullish().safeParse(fields.build)
  return (read.success && read.data) || null
}

/** Profiles are started only when somebody chooses them. */
export function profilesOf({ profiles }: Fields): string[] {
  const read = texts.safeParse(profiles)
  return read.success ? read.data : []
}

function checked<T extends Tree | object, R>(read: (value: T) => R) {
  return (value: T, context: z.RefinementCtx): R => {
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof ComposeProblem)) throw error
      context.addIssue({ code: 'custom', message: error.message })
      return z.NEVER
    }
  }
}
