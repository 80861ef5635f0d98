import { z } from 'zod'
import { IN_SANDBOX } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'

export const sandboxPort = z.object({
  port: z.int().describe('Port in the sandbox.'),
  program: z.string().nullable().describe('Name of the process that listens there; null where it is not known.'),
})
export type SandboxPort = z.output<typeof sandboxPort>

const inSandbox = z.object({ sandbox_id: z.string().min(1).max(100).describe('Id of the sandbox.') })
const tag = 'Previews'

export const listPorts = route({
  method: 'get',
  path: '/api/v1/sandboxes/{sandbox_id}/ports',
  summary: 'List what listens in a sandbox',
  description:
    'Lists the TCP ports at which programs in the sandbox listen now, on whatever address, the lowest first. `exposed_urls` of the sandbox names those that the engine publishes; every other one is reached at its preview address.',
  tag,
  params: inSandbox,
  failures: [...IN_SANDBOX],
  reply: z.array(sandboxPort),
})

export const previewPort = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/ports/{port}/preview',
  summary: 'Get the preview address of a port',
  description:
    'Answers with the address at which a browser on this machine sees what listens at this port of the sandbox, now or later, with WebSockets. It needs no key, so it opens the port to whoever has it; nobody can guess it. It is the same each time, and ends with the API key and the sandbox.',
  tag,
  params: inSandbox.extend({ port: z.int().min(1).max(65_535).describe('Port in the sandbox.') }),
  failures: ['sandbox_not_found'],
  reply: z.object({ url: z.url().describe('Address for a browser on this machine.') }),
})
