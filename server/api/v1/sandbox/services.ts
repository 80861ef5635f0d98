import { z } from 'zod'
import { IN_SANDBOX } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { logTail } from './logs.ts'

/** `restarting` has ended by itself and is started again, as the file says; `failed` could not be started; `exited` has ended, by itself or because somebody stopped it. */
export const SERVICE_STATES = [
  'not_started',
  'pulling',
  'starting',
  'running',
  'healthy',
  'unhealthy',
  'restarting',
  'paused',
  'exited',
  'failed',
] as const
export type ServiceState = (typeof SERVICE_STATES)[number]

const serviceName = z.string().min(1).max(63)

export const sandboxService = z.object({
  name: z.string().describe('Name in the compose file, by which it is reached as well.'),
  image: z
    .string()
    .describe('Image that it runs, or the folder of the repository that it is built from, as `./folder`.'),
  state: z.enum(SERVICE_STATES).describe('How it is. `healthy` and `unhealthy` are the word of its own check.'),
  detail: z
    .string()
    .nullable()
    .describe('What is going on, or what went wrong, in a sentence; null for nothing to say.'),
  ports: z
    .array(z.int())
    .describe('Ports at which it listens, in the sandbox, as far as the file or the image names them.'),
  memory_bytes: z.int().nullable().describe('Memory that it uses now; null for one that does not run.'),
  restarts: z
    .int()
    .describe(
      'How often it has ended by itself and was started again, as its `restart` says, since somebody started it.',
    ),
})
export type SandboxServiceInfo = z.output<typeof sandboxService>

export const sandboxServices = z.object({
  file: z.string().nullable().describe('Compose file from the root of the repository; null where there is none.'),
  problem: z.string().nullable().describe('Why the file cannot be used, in a sentence; null for one that can.'),
  services: z.array(sandboxService).describe('Its services, those first on which others depend.'),
  left_out: z
    .array(
      z.object({
        name: z.string().describe('Name in the compose file, or path of a file that it includes.'),
        reason: z.string().describe('Why it is not started, in a sentence.'),
      }),
    )
    .describe('Services of the file that are not started, and files that it includes and that are not read.'),
})
export type SandboxServicesInfo = z.output<typeof sandboxServices>

const path = '/api/v1/sandboxes/{sandbox_id}/services' as const
const inSandbox = z.object({ sandbox_id: z.string().min(1).max(100).describe('Id of the sandbox.') })
const body = z.object({
  names: z.array(serviceName).max(100).nullish().describe('Names of the services; null or absent for all.'),
})
const tag = 'Sandboxes'
const failures = [...IN_SANDBOX, 'not_found', 'bad_request'] as const

export const listSandboxServices = route({
  method: 'get',
  path,
  summary: "List the project's services beside a sandbox",
  description:
    'Lists the services of the compose file of the repository that is worked on in the sandbox, how each is, and what of the file is left out. A service shares the network of the sandbox: programs in it reach it at `localhost` and by its name. The updates socket tells of changes as `sandbox-services`.',
  tag,
  params: inSandbox,
  failures: ['sandbox_not_found', 'engine_unavailable'],
  reply: sandboxServices,
})

export const startSandboxServices = route({
  method: 'post',
  path: `${path}/start`,
  summary: "Start the project's services",
  description:
    'Starts services of the compose file as it is now, and those that they depend on. Answers when that has begun; the list shows how it goes on.',
  tag,
  params: inSandbox,
  body,
  failures,
  reply: sandboxServices,
})

export const stopSandboxServices = route({
  method: 'post',
  path: `${path}/stop`,
  summary: "Stop the project's services",
  description: 'Stops services. What they have written stays.',
  tag,
  params: inSandbox,
  body,
  failures: ['sandbox_not_found', 'not_found', 'engine_unavailable'],
  reply: sandboxServices,
})

export const restartSandboxServices = route({
  method: 'post',
  path: `${path}/restart`,
  summary: "Restart the project's services",
  description: 'Stops services and starts them again, as the compose file has them now.',
  tag,
  params: inSandbox,
  body,
  failures,
  reply: sandboxServices,
})

export const deleteSandboxServices = route({
  method: 'delete',
  path,
  summary: 'Throw the services of a sandbox away',
  description:
    'Removes the services with everything that they have written, their volumes too. Started again they begin as new ones.',
  tag,
  params: inSandbox,
  failures: ['sandbox_not_found', 'engine_unavailable'],
  reply: sandboxServices,
})

export const getSandboxServiceLog = route({
  method: 'get',
  path: `${path}/{name}/logs`,
  summary: 'Read the log of a service',
  description: 'Reads the last lines that a service wrote, both outputs together, without control sequences.',
  tag,
  params: inSandbox.extend({ name: serviceName.describe('Name of the service.') }),
  query: z.object({ tail: logTail }),
  failures: ['sandbox_not_found', 'not_found', 'engine_unavailable'],
  reply: z.object({ text: z.string().describe('Its last lines; empty where it has written nothing.') }),
})
