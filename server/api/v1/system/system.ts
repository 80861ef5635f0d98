import { z } from 'zod'
import { IN_VAULT } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { STEPS, type StepCode } from './step-words.ts'
import { diskStatus } from './storage.ts'

/** One thing that a person does. */
export const step = z.object({
  code: z.enum(Object.keys(STEPS) as StepCode[]).describe('What to do, to branch on.'),
  text: z.string().describe('What to do, in words.'),
  command: z.string().nullable().describe('Command that does it; null for none.'),
  url: z.string().nullable().describe('Page that tells more; null for none.'),
})
export type Step = z.output<typeof step>

/** What a person does, in order. */
export const engineSteps = z.array(step)

/** The container engine as the service sees it now. */
export const engineStatus = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    name: z.string().describe('What the engine calls itself.'),
    version: z.string().describe('Version of the engine.'),
    endpoint: z.string().describe('Where the engine is reached.'),
    cpus: z.number().describe('Processor cores that the engine has.'),
    memory_bytes: z.number().describe('Bytes of memory that the engine has.'),
    seccomp: z
      .enum(['own', 'engine', 'none'])
      .describe(
        "Which calls to the kernel sandboxes may make: `own`, those of Atelier's list; `engine`, those of the engine's, as it takes no other; `none`, all, as it filters none.",
      ),
    user_namespace: z
      .enum(['none', 'remapped', 'rootless'])
      .describe(
        "Whether root of a sandbox is root of the engine's machine: `none`, it is; `remapped` and `rootless`, it is a user without rights there.",
      ),
    runtimes: z
      .array(
        z.object({
          name: z.string().describe("The engine's name for it."),
          has_kernel_network: z
            .boolean()
            .describe('Whether sandboxes in it may have a network: false where the rules for it would not hold.'),
        }),
      )
      .describe('Runtimes of the engine, its default first; sandbox specs choose one.'),
  }),
  z.object({
    state: z.literal('unavailable'),
    reason: z.string().describe('Why the engine cannot be used, in words for people.'),
    steps: engineSteps.describe('What to do on this platform, one step an item.'),
  }),
])
export type EngineStatus = z.output<typeof engineStatus>

/** The bundled sandbox image: whether the engine has it, and how far loading is. */
export const sandboxImageStatus = z.object({
  state: z
    .enum(['ready', 'loading', 'not_loaded', 'not_bundled', 'failed'])
    .describe('Whether the engine has the bundled image, and if not, why.'),
  reference: z.string().nullable().describe('Reference of the image; null when none is bundled.'),
  done_bytes: z.number().describe('Bytes that are loaded so far.'),
  total_bytes: z.number().describe('Bytes to load in all.'),
  reason: z.string().nullable().describe('Why it could not be loaded, in words; null when nothing went wrong.'),
})
export type SandboxImageStatus = z.output<typeof sandboxImageStatus>

/** `session-only`: no keychain, so keys are kept in memory and are gone at exit. */
export const keychainStatus = z.object({
  state: z.enum(['ready', 'locked', 'missing', 'failed']).describe('Whether the keychain can be used.'),
  storage: z
    .enum(['keychain', 'session-only'])
    .describe('`session-only`: there is no keychain, so keys are kept in memory and are gone at exit.'),
  reason: z.string().nullable().describe('Why it cannot be used, in words; null when it can.'),
})
export type KeychainStatus = z.output<typeof keychainStatus>

export const systemStatus = z.object({
  version: z.string().describe('Version of Atelier.'),
  platform: z.string().describe('Operating system, as Node.js names it: `linux`, `darwin` or `win32`.'),
  url: z.string().describe('Address of this port.'),
  gateway_url: z.string().nullable().describe('Address of the gateway; null when it is not served.'),
  data_dir: z.string().describe('Folder that holds the database, logs and backups.'),
  data_dir_open: z
    .boolean()
    .describe('Whether other users of this machine can read in the data folder, and its modes cannot be changed.'),
  disk: diskStatus.nullable().describe('Disk of the data folder; null where the system does not tell.'),
  engine_disk: diskStatus
    .nullable()
    .describe('Disk of the engine, where sandboxes write; null where that is not a disk of this machine.'),
  engine: engineStatus.describe('The container engine, as the service sees it now.'),
  sandbox_image: sandboxImageStatus.describe('The sandbox image that comes with Atelier.'),
  keychain: keychainStatus.describe('The keychain that keys are stored in.'),
  running_sandboxes: z.int().describe('How many sandboxes run now.'),
})
export type SystemStatus = z.output<typeof systemStatus>

/** A model server found on this machine. `models` are full names, `ollama/…` or `lm_studio/…`. */
export const localModelServer = z.object({
  name: z.string().describe('What the server is, such as Ollama.'),
  base_url: z.string().describe('Address for `llm_base_url`.'),
  models: z.array(z.string()).describe('Full names for `llm_model`, such as `ollama/qwen3`.'),
})
export type LocalModelServer = z.output<typeof localModelServer>

export const modelTest = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    model: z.string().describe('Name of the model that answered.'),
    latency_ms: z.number().describe('Milliseconds until the answer was there.'),
    reply: z.string().describe('What the model answered.'),
  }),
  z.object({
    ok: z.literal(false),
    code: z.string().describe('Error code of the failure, to branch on.'),
    message: z.string().describe('What went wrong and what to do next, in words for people.'),
  }),
])
export type ModelTest = z.output<typeof modelTest>

const tag = 'System'

export const getSystem = route({
  method: 'get',
  path: '/api/v1/system',
  summary: 'State of engine, image and keychain',
  description:
    'Shows what the service needs and whether it is there: the engine, the sandbox image and the keychain, with what to do about what is missing.',
  tag,
  reply: systemStatus,
})

export const recheckSystem = route({
  method: 'post',
  path: '/api/v1/system/recheck',
  summary: 'Look for the engine and the keychain again now',
  description:
    'Looks for the engine and the keychain again now, begins to load the sandbox image again if that has failed, and answers with what it found.',
  tag,
  reply: systemStatus,
})

export const unlockKeychain = route({
  method: 'post',
  path: '/api/v1/system/unlock-keychain',
  summary: 'Let the desktop ask for the password of a locked keychain, and wait for the answer',
  description: "Lets the desktop ask for the password of a locked keychain and waits for the person's answer.",
  tag,
  reply: systemStatus,
})

export const detectModels = route({
  method: 'get',
  path: '/api/v1/config/models/local',
  summary: 'Model servers running on this machine (Ollama, LM Studio)',
  description: 'Looks for model servers that run on this machine, such as Ollama and LM Studio.',
  tag,
  reply: z.object({ servers: z.array(localModelServer).describe('Model servers that answer on this machine.') }),
})

export const testModel = route({
  method: 'post',
  path: '/api/v1/config/models/test',
  tag,
  summary: 'Ask a model one short question',
  description:
    'Asks a model one short question, which tells whether name, address and key are right. The reply has `ok: false` and the reason when they are not.',
  body: z.object({
    llm_model: z
      .string()
      .min(1)
      .nullish()
      .describe('Model to ask, as `provider/model`; absent is the one of the settings.'),
    llm_base_url: z.string().nullish().describe("Address of the model's server; absent is the one of the settings."),
    llm_api_key: z.string().max(8192).nullish().describe('Key for the model; absent is the stored one.'),
  }),
  failures: ['model_not_set', ...IN_VAULT],
  reply: modelTest,
})

export const listModels = route({
  method: 'get',
  path: '/api/v1/config/models',
  summary: 'Known model names by provider',
  description: 'Lists the models that the price list knows. Others can be used too.',
  tag,
  reply: z.object({
    items: z
      .array(
        z.object({
          name: z.string().describe('Full name of the model, as `provider/model`.'),
          provider: z.string().describe('Name of the provider.'),
          context_window: z
            .number()
            .nullable()
            .describe('Tokens that the model can read at once; null when that is not known.'),
        }),
      )
      .describe('Models that the price list knows.'),
  }),
})

/** Exchanges the one-time code of a login link for a session key that ends with the service. */
export const login = route({
  method: 'post',
  path: '/api/v1/login',
  summary: 'Exchange a one-time login code for a session key',
  description:
    'Exchanges the one-time code of a login link for a key that ends with the service. A code can be used once.',
  tag,
  open: true,
  body: z.object({ code: z.string().min(1).max(200).describe('The one-time code of the login link.') }),
  failures: ['unauthorized'],
  reply: z.object({ session_api_key: z.string().describe('Key for this API that ends with the service.') }),
})

export const alive = route({
  method: 'get',
  path: '/alive',
  summary: 'The service answers',
  description: 'Tells that the service answers. It needs no key.',
  tag,
  open: true,
  reply: z.object({ status: z.literal('ok').describe('Always `ok`.') }),
})
export const health = route({
  method: 'get',
  path: '/health',
  summary: 'The service answers',
  description: 'Tells that the service answers. It needs no key.',
  tag,
  open: true,
  reply: z.literal('OK'),
})

/**
 * Frames of the WebSocket `/sockets/updates`: what has changed, so that a client reads it again.
 * The first client frame is `{"type":"auth","session_api_key":"…"}` unless the key came in the header.
 */
export const changeFrame = z.discriminatedUnion('resource', [
  z.object({
    resource: z.literal('conversation'),
    id: z.string().describe('Id of the conversation that has changed.'),
  }),
  z.object({
    resource: z.literal('pending-messages'),
    id: z.string().describe('Id of the conversation whose waiting messages have changed.'),
  }),
  z.object({ resource: z.literal('start-task'), id: z.string().describe('Id of the start that has changed.') }),
  z.object({ resource: z.literal('sandbox'), id: z.string().describe('Id of the sandbox that has changed.') }),
  z.object({
    resource: z.literal('terminals'),
    id: z.string().describe('Id of the sandbox whose terminals have changed.'),
  }),
  z.object({
    resource: z.literal('sandbox-network'),
    id: z
      .string()
      .describe('Id of the sandbox whose network has changed, or in which something tried to reach a host.'),
  }),
  z.object({
    resource: z.literal('sandbox-services'),
    id: z.string().describe('Id of the sandbox of which a service has changed.'),
  }),
  z.object({
    resource: z.literal('sandbox-spec'),
    id: z.string().describe('Id of the sandbox spec that has changed.'),
  }),
  z.object({
    resource: z.literal('engine'),
    id: z.string().describe('Id of the engine that was added, removed or renamed, or whose state has changed.'),
  }),
  z.object({ resource: z.literal('settings') }),
  z.object({ resource: z.literal('system') }),
])
export type ChangeFrame = z.output<typeof changeFrame>
