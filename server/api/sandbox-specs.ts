import { z } from 'zod'
import { imageReference } from './image-reference.ts'
import { dateTime, page, pageQuery, success } from './page.ts'
import { route } from './route.ts'

/**
 * Values of the environment are stored in clear and can be seen by whoever inspects the container, so what names a secret
 * is refused. Secrets have their own place, from where they reach the commands that name them.
 */
const SECRET_NAME = /(^|_)(TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?)(_|$)|(^|_|API)KEYS?$/i

const path = z.string().min(1).max(4096).refine(isClean, 'the path has a control character')
const containerPath = path.refine(isPlainPath, 'name an absolute path without "." and ".." parts, like /workspace/data')

const environment = z
  .record(z.string().max(200), z.string().max(32_768).refine(isClean, 'the value has a NUL'))
  .superRefine((env, context) => {
    if (Object.keys(env).length > 200) context.addIssue({ code: 'custom', message: 'at most 200 variables' })
    for (const name of Object.keys(env)) {
      const message = problemWithVariable(name)
      if (message) context.addIssue({ code: 'custom', path: [name], message })
    }
  })

const limits = z.object({
  memory_bytes: z
    .int()
    .min(64 * 1024 ** 2)
    .nullable()
    .default(null),
  cpus: z.number().min(0.1).max(1024).nullable().default(null),
  pids: z.int().min(16).max(1_000_000).nullable().default(null),
})

export const sandboxMount = z.object({
  /** Absolute, on the machine of the engine. Never the root, the engine's socket, Atelier's data or a system folder. */
  host_path: path,
  container_path: containerPath,
  mode: z.enum(['ro', 'rw']).default('ro'),
})
export type SandboxMount = z.output<typeof sandboxMount>

/** `full` reaches the internet and `host.docker.internal`; `none` has no network at all, so nothing can be cloned or exposed. */
export const SANDBOX_NETWORKS = ['full', 'none'] as const

export const sandboxSpecRequest = z.object({
  title: z.string().trim().min(1).max(100),
  image: imageReference,
  /** What keeps the sandbox running, in place of the image's entrypoint; it ends when this ends. null waits for ever. */
  command: z.array(z.string().max(32_768).refine(isClean, 'an argument has a NUL')).min(1).max(200).nullish(),
  /** Where conversations work; made when it is missing. null is /workspace/project. */
  working_dir: containerPath.nullish(),
  /** No secrets: names like API_KEY, GITHUB_TOKEN or DB_PASSWORD are refused. */
  initial_env: environment.default({}),
  /** null is Atelier's default; the settings' resource factor scales defaults only. More than the engine has is cut to that. */
  limits: limits.default({ memory_bytes: null, cpus: null, pids: null }),
  network: z.enum(SANDBOX_NETWORKS).default('full'),
  mounts: z
    .array(sandboxMount)
    .max(20)
    .refine(mounts => new Set(mounts.map(mount => mount.container_path)).size === mounts.length, {
      message: 'two mounts have the same path in the sandbox',
    })
    .default([]),
  /** Becomes, or stops being, what sandboxes start from unless they are told otherwise. Absent leaves it as it is. */
  is_default: z.boolean().optional(),
})
export type SandboxSpecRequest = z.output<typeof sandboxSpecRequest>

export const sandboxSpecInfo = z.object({
  /** Opaque: of a built-in spec the image reference, of one's own something else. */
  id: z.string(),
  command: z.array(z.string()).nullable(),
  created_at: dateTime,
  initial_env: z.record(z.string(), z.string()),
  working_dir: z.string(),
  title: z.string(),
  image: z.string(),
  /** Whether the engine has the image already; null when the engine does not answer. */
  image_present: z.boolean().nullable(),
  limits: z.object({
    memory_bytes: z.int().nullable(),
    cpus: z.number().nullable(),
    pids: z.int().nullable(),
  }),
  network: z.enum(SANDBOX_NETWORKS),
  mounts: z.array(sandboxMount),
  is_default: z.boolean(),
  /** Comes with Atelier or from the settings, and cannot be changed here. */
  built_in: z.boolean(),
})
export type SandboxSpecInfo = z.output<typeof sandboxSpecInfo>

const params = z.object({ spec_id: z.string().min(1).max(500) })
const tag = 'Sandboxes'

export const searchSandboxSpecs = route({
  method: 'get',
  path: '/api/v1/sandbox-specs/search',
  summary: 'Search sandbox specs; the first is the default',
  tag,
  query: pageQuery,
  reply: page(sandboxSpecInfo),
})

export const batchGetSandboxSpecs = route({
  method: 'get',
  path: '/api/v1/sandbox-specs',
  summary: 'Get sandbox specs by id; null for unknown ones',
  tag,
  query: z.object({ id: z.array(z.string()).min(1).max(100) }),
  reply: z.array(sandboxSpecInfo.nullable()),
})

export const createSandboxSpec = route({
  method: 'post',
  path: '/api/v1/sandbox-specs',
  summary: 'Add a sandbox spec',
  tag,
  body: sandboxSpecRequest,
  failures: ['bad_request', 'conflict'],
  reply: sandboxSpecInfo,
  status: 201,
})

export const replaceSandboxSpec = route({
  method: 'put',
  path: '/api/v1/sandbox-specs/{spec_id}',
  summary: 'Replace a sandbox spec; sandboxes that are there keep what they were started with',
  tag,
  params,
  body: sandboxSpecRequest,
  failures: ['not_found', 'conflict', 'bad_request'],
  reply: sandboxSpecInfo,
})

export const deleteSandboxSpec = route({
  method: 'delete',
  path: '/api/v1/sandbox-specs/{spec_id}',
  summary: 'Remove a sandbox spec; sandboxes that were started from it stay',
  tag,
  params,
  failures: ['not_found', 'conflict'],
  reply: success,
})

/** Also for built-in ones. Naming another image in the settings later makes that the default. */
export const makeSandboxSpecDefault = route({
  method: 'post',
  path: '/api/v1/sandbox-specs/{spec_id}/make-default',
  summary: 'Start sandboxes from this spec unless they are told otherwise',
  tag,
  params,
  failures: ['not_found'],
  reply: sandboxSpecInfo,
})

function isClean(text: string): boolean {
  return !text.includes('\0')
}

function isPlainPath(text: string): boolean {
  const parts = text.split('/')
  return text.startsWith('/') && text.length > 1 && parts.slice(1).every(part => !['', '.', '..'].includes(part))
}

/** undefined when it can be set. */
export function problemWithVariable(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'name variables with letters, digits and _'
  if (SECRET_NAME.test(name)) return 'this looks like a secret; save it in Settings › Secrets instead'
  return undefined
}
