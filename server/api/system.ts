import { z } from 'zod'
import { IN_VAULT } from './failures.ts'
import { route } from './route.ts'
import { diskStatus } from './storage.ts'

/** The container engine as the service sees it now. */
export const engineStatus = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    name: z.string(),
    version: z.string(),
    endpoint: z.string(),
    cpus: z.number(),
    memory_bytes: z.number(),
  }),
  z.object({
    state: z.literal('unavailable'),
    /** What happened, in words. */
    reason: z.string(),
    /** What to do on this platform, one step an item; a step with a command carries it. */
    steps: z.array(z.object({ text: z.string(), command: z.string().nullable(), url: z.string().nullable() })),
  }),
])
export type EngineStatus = z.output<typeof engineStatus>

/** The bundled sandbox image: whether the engine has it, and how far loading is. */
export const sandboxImageStatus = z.object({
  state: z.enum(['ready', 'loading', 'not_loaded', 'not_bundled', 'failed']),
  reference: z.string().nullable(),
  done_bytes: z.number(),
  total_bytes: z.number(),
  reason: z.string().nullable(),
})
export type SandboxImageStatus = z.output<typeof sandboxImageStatus>

/** `session-only`: no keychain, so keys are kept in memory and are gone at exit. */
export const keychainStatus = z.object({
  state: z.enum(['ready', 'locked', 'missing', 'failed']),
  storage: z.enum(['keychain', 'session-only']),
  reason: z.string().nullable(),
})
export type KeychainStatus = z.output<typeof keychainStatus>

export const systemStatus = z.object({
  version: z.string(),
  platform: z.string(),
  url: z.string(),
  gateway_url: z.string().nullable(),
  data_dir: z.string(),
  /** Other users of this machine can read in the data folder, and its modes cannot be changed. */
  data_dir_open: z.boolean(),
  /** The disk of the data folder; null where the system does not tell. */
  disk: diskStatus.nullable(),
  /** The disk of the engine, where sandboxes write; null where that is not a disk of this machine. */
  engine_disk: diskStatus.nullable(),
  engine: engineStatus,
  sandbox_image: sandboxImageStatus,
  keychain: keychainStatus,
  running_sandboxes: z.int(),
})
export type SystemStatus = z.output<typeof systemStatus>

/** A model server found on this machine. `models` are full names, `ollama/…` or `lm_studio/…`. */
export const localModelServer = z.object({ name: z.string(), base_url: z.string(), models: z.array(z.string()) })
export type LocalModelServer = z.output<typeof localModelServer>

export const modelTest = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), model: z.string(), latency_ms: z.number(), reply: z.string() }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
])
export type ModelTest = z.output<typeof modelTest>

const tag = 'System'

export const getSystem = route({
  method: 'get',
  path: '/api/v1/system',
  summary: 'State of engine, image and keychain',
  tag,
  reply: systemStatus,
})

export const recheckSystem = route({
  method: 'post',
  path: '/api/v1/system/recheck',
  summary: 'Look for the engine and the keychain again now',
  tag,
  reply: systemStatus,
})

export const unlockKeychain = route({
  method: 'post',
  path: '/api/v1/system/unlock-keychain',
  summary: 'Let the desktop ask for the password of a locked keychain, and wait for the answer',
  tag,
  reply: systemStatus,
})

export const detectModels = route({
  method: 'get',
  path: '/api/v1/config/models/local',
  summary: 'Model servers running on this machine (Ollama, LM Studio)',
  tag,
  reply: z.object({ servers: z.array(localModelServer) }),
})

export const testModel = route({
  method: 'post',
  path: '/api/v1/config/models/test',
  tag,
  summary: 'Ask a model one short question. Absent fields come from the stored settings, the key from the keychain',
  body: z.object({
    llm_model: z.string().min(1).nullish(),
    llm_base_url: z.string().nullish(),
    llm_api_key: z.string().max(8192).nullish(),
  }),
  failures: ['model_not_set', ...IN_VAULT],
  reply: modelTest,
})

export const listModels = route({
  method: 'get',
  path: '/api/v1/config/models',
  summary: 'Known model names by provider',
  tag,
  reply: z.object({
    items: z.array(z.object({ name: z.string(), provider: z.string(), context_window: z.number().nullable() })),
  }),
})

/** Exchanges the one-time code of a login link for a session key that ends with the service. */
export const login = route({
  method: 'post',
  path: '/api/v1/login',
  summary: 'Exchange a one-time login code for a session key',
  tag,
  open: true,
  body: z.object({ code: z.string().min(1).max(200) }),
  failures: ['unauthorized'],
  reply: z.object({ session_api_key: z.string() }),
})

export const alive = route({
  method: 'get',
  path: '/alive',
  summary: 'The service answers',
  tag,
  open: true,
  reply: z.object({ status: z.literal('ok') }),
})
export const health = route({
  method: 'get',
  path: '/health',
  summary: 'The service answers',
  tag,
  open: true,
  reply: z.literal('OK'),
})

/**
 * Frames of the WebSocket `/sockets/updates`: what has changed, so that a client reads it again.
 * The first client frame is `{"type":"auth","session_api_key":"…"}` unless the key came in the header.
 */
export const changeFrame = z.discriminatedUnion('resource', [
  z.object({ resource: z.literal('conversation'), id: z.string() }),
  z.object({ resource: z.literal('start-task'), id: z.string() }),
  z.object({ resource: z.literal('sandbox'), id: z.string() }),
  z.object({ resource: z.literal('sandbox-spec'), id: z.string() }),
  z.object({ resource: z.literal('settings') }),
  z.object({ resource: z.literal('system') }),
])
export type ChangeFrame = z.output<typeof changeFrame>
