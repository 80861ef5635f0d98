import { z } from 'zod'
import { IN_SANDBOX } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'

export const sandboxPort = z.object({
  port: z.int().describe('Port in the sandbox.'),
  program: z.string().nullable().describe('Name of the process that listens there; null where it is not known.'),
})
export type SandboxPort = z.output<typeof sandboxPort>

export const sandboxProxy = z.object({
  url: z.url().describe('Address of the proxy, on this machine.'),
  username: z.string().describe('Name that the proxy asks for (`Basic`).'),
  password: z.string().describe('Password that it asks for. It is the same each time, and ends with the API key.'),
})
export type SandboxProxy = z.output<typeof sandboxProxy>

const inSandbox = z.object({ sandbox_id: z.string().min(1).max(100).describe('Id of the sandbox.') })
const tag = 'Previews'

export const listPorts = route({
  method: 'get',
  path: '/api/v1/sandboxes/{sandbox_id}/ports',
  summary: 'List what listens in a sandbox',
  description:
    'Lists the TCP ports at which programs in the sandbox listen now, on whatever address, the lowest first. `exposed_urls` of the sandbox names those that the engine publishes; every other one is reached at its preview address. The question alone neither resumes a sandbox that was paused for want of use nor keeps it from being paused: then the answer is what listened when it was last asked, or the failure `sandbox_not_running`.',
  tag,
  params: inSandbox,
  query: z.object({
    wake: z
      .boolean()
      .default(false)
      .describe('Whether it is a use of the sandbox, which resumes one that was paused for want of use.'),
  }),
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

export const openSandboxProxy = route({
  method: 'post',
  path: '/api/v1/sandboxes/{sandbox_id}/proxy',
  summary: 'Open an HTTP proxy into the network of a sandbox',
  description:
    'Answers with an HTTP proxy on this machine, for a browser that is to see the network as the sandbox does: `localhost` is the sandbox, with every port and every address that a program listens on, and any other name is looked up and reached from the sandbox, as far as its network lets it. It takes `http` addresses, and `CONNECT` for `https` and WebSockets. Whoever has the name and the password reaches what the sandbox reaches.',
  tag,
  params: inSandbox,
  failures: ['sandbox_not_found'],
  reply: sandboxProxy,
})
