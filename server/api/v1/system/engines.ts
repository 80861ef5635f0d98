import { z } from 'zod'
import { success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { holdsUrlWithPassword } from '../../url-credentials.ts'
import { engineStatus } from './system.ts'

/** The engine that is found by itself: that of DOCKER_HOST, of the current context, or of one of the usual sockets. */
export const DEFAULT_ENGINE = 'default'

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** https://github.com/distribution/reference */
const IMAGE_REFERENCE = /^[a-z0-9][a-zA-Z0-9._:/@-]*$/
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
const SECRET_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

const CONTEXT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.+-]*$/

/** Where an engine that a person adds is reached. */
export const engineAddress = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('context'),
    name: z
      .string()
      .max(200)
      .regex(CONTEXT_NAME, 'this is no name of a docker context')
      .describe('Name of a docker context of this machine. Its address and keys are read anew at each search.'),
  }),
  z.object({
    kind: z.literal('socket'),
    host: z
      .string()
      .min(1)
      .max(1000)
      .describe(
        'One of the usual sockets of this machine, as `unix://…` or `npipe://…`; the available ones are listed.',
      ),
  }),
  z.object({
    kind: z.literal('host'),
    host: z
      .string()
      .min(1)
      .max(1000)
      .refine(host => !holdsUrlWithPassword(host), 'an address holds no password; use keys')
      .describe('`ssh://user@machine`, or `tcp://machine:2376` with `certificates`. It holds no password.'),
    certificates: z
      .string()
      .min(1)
      .max(4096)
      .nullable()
      .default(null)
      .describe(
        'Absolute path of a folder of this machine with ca.pem, cert.pem and key.pem, with which a `tcp://` engine is asked over TLS; null for none.',
      ),
  }),
  z.object({
    kind: z.literal('kubernetes'),
    context: z
      .string()
      .min(1)
      .max(500)
      .describe(
        'Name of a context of the kubeconfig of this machine. Its cluster and user are read anew at each search.',
      ),
    namespace: z
      .string()
      .regex(NAMESPACE, 'this is no name of a namespace')
      .nullable()
      .default(null)
      .describe('Namespace that sandboxes are made in; null is that of the context.'),
    image: z
      .string()
      .max(500)
      .regex(IMAGE_REFERENCE, 'this is no reference of an image')
      .nullable()
      .default(null)
      .describe(
        "Reference of Atelier's own image in a registry that the nodes reach, best by digest; null: they have it under its own name, and no registry is asked for it.",
      ),
    image_pull_secrets: z
      .array(z.string().regex(SECRET_NAME, 'this is no name of a secret'))
      .max(10)
      .default([])
      .describe('Names of secrets of the namespace with which nodes pull images for every sandbox.'),
  }),
])
export type EngineAddress = z.output<typeof engineAddress>

const engineName = z.string().trim().min(1).max(100)

/** An engine that sandboxes run on. */
export const engineEntry = z.object({
  id: z.string().describe('Id of the engine; `default` is the one that is found by itself.'),
  name: z.string().describe('Name for people; of the default engine what it calls itself.'),
  kind: z
    .enum(['default', 'context', 'socket', 'host', 'kubernetes'])
    .describe(
      'How it is found: `default`, by itself; `context`, by a docker context; `socket`, at a usual socket of this machine; `host`, at an address that a person typed; `kubernetes`, by a context of the kubeconfig.',
    ),
  address: z
    .string()
    .nullable()
    .describe(
      'Name of the docker context or, of a cluster, context and namespace of the kubeconfig; or address. It holds no secrets. null of the default engine while none is found.',
    ),
  is_default: z
    .boolean()
    .describe('Whether it is the engine that is found by itself. It cannot be removed or renamed.'),
  status: engineStatus.describe('The engine as the service sees it now.'),
  latency_ms: z
    .number()
    .nullable()
    .describe('Milliseconds that it took to answer when it was last asked for a sign of life; null before that.'),
  sandboxes: z.int().describe('How many sandboxes it has, as it was when it last answered.'),
  running_sandboxes: z.int().describe('How many of them run now; 0 while it does not answer.'),
})
export type EngineEntry = z.output<typeof engineEntry>

export const availableEngine = z.object({
  name: z
    .string()
    .describe(
      'What it is, such as `Podman (rootless)`, or the name of a docker context or of a context of the kubeconfig.',
    ),
  host: z
    .string()
    .describe(
      'Where it is reached, such as `unix:///run/podman/podman.sock`, or the address of a cluster. It holds no secrets.',
    ),
  address: engineAddress.describe('What to add it with.'),
})
export type AvailableEngine = z.output<typeof availableEngine>

const params = z.object({ engine_id: z.string().min(1).max(100).describe('Id of the engine.') })
const tag = 'Engines'

export const listEngines = route({
  method: 'get',
  path: '/api/v1/engines',
  summary: 'List engines with their state',
  description: 'Lists the engines that sandboxes run on, the default one first, as the service sees them now.',
  tag,
  reply: z.object({ items: z.array(engineEntry).describe('The default engine, then those that were added.') }),
})

export const listAvailableEngines = route({
  method: 'get',
  path: '/api/v1/engines/available',
  summary: 'List engines of this machine that are not used yet',
  description:
    'Lists the docker contexts, the usual sockets and the contexts of the kubeconfig of this machine that no engine is reached by yet. Nobody is asked whether an engine answers there.',
  tag,
  reply: z.object({
    items: z.array(availableEngine).describe('Docker contexts first, then sockets, then contexts of the kubeconfig.'),
  }),
})

export const addEngine = route({
  method: 'post',
  path: '/api/v1/engines',
  summary: 'Add an engine',
  description:
    'Adds an engine and answers at once, while it is looked for. Sandbox specs choose it. 400 for an address that cannot be used, 409 when there are as many as there may be, or one with this address.',
  tag,
  body: z.object({
    name: engineName.describe('Name for people.'),
    address: engineAddress.describe('Where the engine is reached.'),
  }),
  failures: ['bad_request', 'conflict'],
  reply: engineEntry,
  status: 201,
})

export const renameEngine = route({
  method: 'patch',
  path: '/api/v1/engines/{engine_id}',
  summary: 'Rename an engine',
  description: 'Gives an engine that was added another name. 409 for the default engine.',
  tag,
  params,
  body: z.object({ name: engineName.describe('Name for people.') }),
  failures: ['not_found', 'conflict'],
  reply: engineEntry,
})

export const removeEngine = route({
  method: 'delete',
  path: '/api/v1/engines/{engine_id}',
  summary: 'Remove an engine',
  description:
    'Removes an engine that was added. What Atelier made there besides sandboxes is deleted first, if it answers. 409 for the default engine, while it has sandboxes, and while sandbox specs choose it.',
  tag,
  params,
  query: z.object({
    forget_sandboxes: z
      .boolean()
      .default(false)
      .describe(
        'Whether sandboxes of an engine that does not answer are forgotten with it. They stay on that engine, and are there again once it is added again.',
      ),
  }),
  failures: ['not_found', 'conflict'],
  reply: success,
})

export const checkEngine = route({
  method: 'post',
  path: '/api/v1/engines/{engine_id}/check',
  summary: 'Look for an engine again now',
  description: 'Looks for the engine again now, or asks it for a sign of life, and answers with what came of it.',
  tag,
  params,
  failures: ['not_found'],
  reply: engineEntry,
})
