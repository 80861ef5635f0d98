import { z } from 'zod'
import { dateTime, page, pageQuery, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { isSecretName } from '../../secret-names.ts'
import { holdsUrlWithPassword } from '../../url-credentials.ts'
import { CACHES_MEANING, sandboxCaches } from './caches.ts'
import { CLUSTER_MEANING, clusterPlace, EVERYWHERE } from './cluster.ts'
import { imageReference } from './image-reference.ts'
import { ALLOWLIST_MEANING, allowlist, NETWORK_MEANING, sandboxNetwork } from './network.ts'

/**
 * Values of the environment are stored in clear and can be seen by whoever inspects the container, so what names a secret
 * is refused. Secrets have their own place, from where they reach the commands that name them.
 */

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

const newEnvironment = environment.superRefine((env, context) => {
  const message = 'the value is a URL with a password; save it in Settings › Secrets instead'
  for (const [name, value] of Object.entries(env)) {
    if (holdsUrlWithPassword(value)) context.addIssue({ code: 'custom', path: [name], message })
  }
})

const limits = z.object({
  memory_bytes: z
    .int()
    .min(64 * 1024 ** 2)
    .nullable()
    .default(null)
    .describe("Bytes of memory; null is Atelier's default."),
  cpus: z
    .number()
    .min(0.1)
    .max(1024)
    .nullable()
    .default(null)
    .describe("Processor cores, also parts of one; null is Atelier's default."),
  pids: z
    .int()
    .min(16)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe("Processes and threads at a time; null is Atelier's default."),
  disk_bytes: z
    .int()
    .min(256 * 1024 ** 2)
    .nullable()
    .default(null)
    .describe(
      "Bytes that the sandbox may write over its image; null is Atelier's default. Where the engine's disk cannot hold it to that, the sandbox says so when it has written more.",
    ),
})

export const sandboxMount = z.object({
  host_path: path.describe(
    "Absolute path on the machine of the engine. Never the root, the engine's socket, Atelier's data or a system folder.",
  ),
  container_path: containerPath.describe('Absolute path at which it appears in the sandbox.'),
  mode: z.enum(['ro', 'rw']).default('ro').describe('`ro` can only be read, `rw` can be written.'),
})
export type SandboxMount = z.output<typeof sandboxMount>

const ociRuntime = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'name a runtime as the engine does, like runsc')

/** A spec as it is kept. */
export const sandboxSpecDefinition = z.object({
  title: z.string().trim().min(1).max(100).describe('Name for people.'),
  image: imageReference
    .nullish()
    .describe('Reference of the image, as the engine takes it; null where it is built from `dockerfile`.'),
  dockerfile: z
    .string()
    .min(1)
    .max(64 * 1024)
    .nullish()
    .describe(
      'Dockerfile that the image is built from, in place of `image`. It has no files to copy. Its steps reach the internet and nothing private.',
    ),
  command: z
    .array(z.string().max(32_768).refine(isClean, 'an argument has a NUL'))
    .min(1)
    .max(200)
    .nullish()
    .describe(
      "What keeps the sandbox running, in place of the image's entrypoint; the sandbox ends when it ends. null waits for ever.",
    ),
  working_dir: containerPath
    .nullish()
    .describe(
      'Absolute path of the folder where conversations work, made when it is missing. null is /workspace/project.',
    ),
  initial_env: environment.default({}).describe('Variables of everything that runs in the sandbox.'),
  limits: limits
    .default({ memory_bytes: null, cpus: null, pids: null, disk_bytes: null })
    .describe(
      "Limits of the sandbox. More than the engine has is cut to that; the settings' resource factor scales defaults only.",
    ),
  network: sandboxNetwork.default('full').describe(NETWORK_MEANING),
  allowlist: allowlist.default({ presets: [], hosts: [] }).describe(ALLOWLIST_MEANING),
  runtime: ociRuntime
    .nullable()
    .default(null)
    .describe(
      "Runtime of the engine that the sandbox runs in, such as `runsc`; null is the engine's default. One with a network of its own needs the network `none`.",
    ),
  mounts: z
    .array(sandboxMount)
    .max(20)
    .refine(mounts => new Set(mounts.map(mount => mount.container_path)).size === mounts.length, {
      message: 'two mounts have the same path in the sandbox',
    })
    .default([])
    .describe("Folders of the engine's machine that appear in the sandbox."),
  engine_id: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('Id of the engine that sandboxes of this spec run on; null is the default engine.'),
  caches: sandboxCaches.default([]).describe(CACHES_MEANING),
  cluster: clusterPlace.default(EVERYWHERE).describe(CLUSTER_MEANING),
})
export type SandboxSpecDefinition = z.output<typeof sandboxSpecDefinition>

export const sandboxSpecRequest = sandboxSpecDefinition
  .extend({
    initial_env: newEnvironment
      .default({})
      .describe(
        'Variables of everything that runs in the sandbox. No secrets: names like API_KEY, GITHUB_TOKEN or DB_PASSWORD and URLs with a password are refused.',
      ),
    is_default: z
      .boolean()
      .optional()
      .describe('Whether sandboxes start from this spec unless they are told otherwise; absent leaves it as it is.'),
  })
  .refine(({ image, dockerfile }) => (image == null) !== (dockerfile == null), {
    path: ['image'],
    message: 'name an image, or give a Dockerfile, and not both',
  })
export type SandboxSpecRequest = z.output<typeof sandboxSpecRequest>

export const sandboxSpecInfo = z.object({
  id: z.string().describe("Opaque id: of a built-in spec the image reference, of one's own something else."),
  command: z.array(z.string()).nullable().describe('What keeps the sandbox running; null waits for ever.'),
  created_at: dateTime.describe('When the spec was made.'),
  initial_env: z.record(z.string(), z.string()).describe('Variables of everything that runs in the sandbox.'),
  working_dir: z.string().describe('Absolute path of the folder where conversations work.'),
  title: z.string().describe('Name for people.'),
  image: z.string().describe('Reference of the image; with a Dockerfile the name that it gets once it is built.'),
  dockerfile: z.string().nullable().describe('Dockerfile that the image is built from; null where one is named.'),
  image_present: z
    .boolean()
    .nullable()
    .describe('Whether the engine has the image already; null when the engine does not answer.'),
  limits: z
    .object({
      memory_bytes: z.int().nullable().describe("Bytes of memory; null is Atelier's default."),
      cpus: z.number().nullable().describe("Processor cores; null is Atelier's default."),
      pids: z.int().nullable().describe("Processes and threads at a time; null is Atelier's default."),
      disk_bytes: z
        .int()
        .nullable()
        .describe("Bytes that the sandbox may write over its image; null is Atelier's default."),
    })
    .describe("Limits of the sandbox; null is Atelier's default."),
  network: sandboxNetwork.describe(NETWORK_MEANING),
  allowlist: allowlist.describe(ALLOWLIST_MEANING),
  runtime: z
    .string()
    .nullable()
    .describe("Runtime of the engine that the sandbox runs in; null is the engine's default."),
  mounts: z.array(sandboxMount).describe("Folders of the engine's machine that appear in the sandbox."),
  engine_id: z
    .string()
    .nullable()
    .describe('Id of the engine that sandboxes of this spec run on; null is the default engine.'),
  caches: sandboxCaches.describe(CACHES_MEANING),
  cluster: clusterPlace.describe(CLUSTER_MEANING),
  is_default: z.boolean().describe('Whether sandboxes start from this spec unless they are told otherwise.'),
  built_in: z.boolean().describe('Whether it comes with Atelier or from the settings, and cannot be changed here.'),
  imported_from: z.string().nullable().describe('Name of the file that it was imported from; null for any other.'),
})
export type SandboxSpecInfo = z.output<typeof sandboxSpecInfo>

const params = z.object({ spec_id: z.string().min(1).max(500).describe('Id of the sandbox spec.') })
const tag = 'Sandboxes'

export const searchSandboxSpecs = route({
  method: 'get',
  path: '/api/v1/sandbox-specs/search',
  summary: 'Search sandbox specs; the first is the default',
  description: 'Lists the templates that sandboxes are started from, a page at a time; the first is the default.',
  tag,
  query: pageQuery,
  reply: page(sandboxSpecInfo),
})

export const batchGetSandboxSpecs = route({
  method: 'get',
  path: '/api/v1/sandbox-specs',
  summary: 'Get sandbox specs by id; null for unknown ones',
  description: 'Reads sandbox specs by id. The reply has the order of the ids, with null for those that are unknown.',
  tag,
  query: z.object({
    id: z.array(z.string()).min(1).max(100).describe('Ids of sandbox specs, up to 100; the reply has their order.'),
  }),
  reply: z.array(sandboxSpecInfo.nullable()),
})

export const createSandboxSpec = route({
  method: 'post',
  path: '/api/v1/sandbox-specs',
  summary: 'Add a sandbox spec',
  description: "Adds a sandbox spec of one's own. 409 when there are as many as there may be.",
  tag,
  body: sandboxSpecRequest,
  failures: ['bad_request', 'conflict'],
  reply: sandboxSpecInfo,
  status: 201,
})

export const replaceSandboxSpec = route({
  method: 'put',
  path: '/api/v1/sandbox-specs/{spec_id}',
  summary: 'Replace a sandbox spec',
  description:
    "Replaces a sandbox spec of one's own as a whole. Sandboxes that are there keep what they were started with.",
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
  description: "Removes a sandbox spec of one's own. Sandboxes that were started from it stay.",
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
  description: 'Starts sandboxes from this spec from now on unless they are told otherwise.',
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
  if (isSecretName(name)) return 'this looks like a secret; save it in Settings › Secrets instead'
  return undefined
}
