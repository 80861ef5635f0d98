import { EXPOSED_PORTS } from '../api/v1/sandbox/exposed-ports.ts'
import type { SandboxInfo } from '../api/v1/sandbox/sandboxes.ts'
import type { ContainerState } from '../docker/engine.ts'

/** Where a client reaches what runs in a sandbox, and the agent server in front of it. */
export function exposedUrls(agentServer: string | null, ports: ContainerState['ports']): SandboxInfo['exposed_urls'] {
  const urls = Object.entries(EXPOSED_PORTS).flatMap(([name, containerPort]) => {
    const port = ports[containerPort]
    return port === undefined ? [] : [{ name, url: `http://127.0.0.1:${port}`, port }]
  })
  if (agentServer === null) return urls
  const port = Number(new URL(agentServer).port || 80)
  return [{ name: 'AGENT_SERVER', url: agentServer, port }, ...urls]
}
