import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Endpoint } from './client.ts'
import sockets from './socket-candidates.json' with { type: 'json' }

/** Where an engine may answer. `chosen`: somebody named it, in DOCKER_HOST or as the docker context. */
export interface Candidate extends Endpoint {
  name: string
  chosen: boolean
}

export interface Machine {
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  home: string
  uid: number | undefined
}

/** In the order to try: DOCKER_HOST and nothing else; or the current docker context, then the usual sockets. */
export function engineCandidates(machine: Machine): Candidate[] {
  const host = machine.env.DOCKER_HOST
  if (host) {
    const folder = machine.env.DOCKER_CERT_PATH || join(machine.home, '.docker')
    const certificates = machine.env.DOCKER_TLS_VERIFY ? folder : undefined
    const name = 'DOCKER_HOST'
    return [{ name, host: host.includes('://') ? host : `tcp://${host}`, certificates, chosen: true }]
  }
  const context = currentContext(join(machine.home, '.docker'), machine.env.DOCKER_CONTEXT)
  const usual = usualSockets(machine)
  return context ? [context, ...usual.filter(each => each.host !== context.host)] : usual
}

function usualSockets(machine: Machine): Candidate[] {
  const values: Record<string, string | undefined> = {
    HOME: machine.home,
    XDG_RUNTIME_DIR: machine.env.XDG_RUNTIME_DIR,
    UID: machine.uid?.toString(),
  }
  const scheme = machine.platform === 'win32' ? 'npipe' : 'unix'
  const seen = new Set<string>()
  return sockets
    .filter(socket => socket.platform === machine.platform)
    .flatMap(({ name, path }) => {
      const host = `${scheme}://${path.replace(/\$\{(\w+)\}/g, (_, variable: string) => values[variable] || '\0')}`
      if (host.includes('\0') || seen.has(host)) return []
      seen.add(host)
      return [{ name, host, certificates: undefined, chosen: false }]
    })
}

const dockerConfig = z.object({ currentContext: z.string().optional() })
const contextMeta = z.object({ Endpoints: z.object({ docker: z.object({ Host: z.string().min(1) }) }) })

/** A context's folders are named by the SHA-256 of its name. */
function currentContext(folder: string, chosen: string | undefined): Candidate | undefined {
  const name = chosen || readJson(join(folder, 'config.json'), dockerConfig)?.currentContext
  if (!name || name === 'default') return undefined
  const digest = createHash('sha256').update(name).digest('hex')
  const meta = readJson(join(folder, 'contexts', 'meta', digest, 'meta.json'), contextMeta)
  if (!meta) return undefined
  const keys = join(folder, 'contexts', 'tls', digest, 'docker')
  const certificates = existsSync(join(keys, 'ca.pem')) ? keys : undefined
  return { name: `docker context ${name}`, host: meta.Endpoints.docker.Host, certificates, chosen: true }
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}
