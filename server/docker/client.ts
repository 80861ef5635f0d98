import { readFileSync, statSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import Docker from 'dockerode'
import { AppError, messageOf } from '../domain/errors.ts'
import { checkPaths, engineAgent } from './requests.ts'
import { followTraffic, type Traffic } from './traffic.ts'

/** How to reach an engine. */
export interface Endpoint {
  /** As in DOCKER_HOST: `unix://`, `npipe://`, `tcp://`, `https://`. */
  host: string
  /** A folder with ca.pem, cert.pem and key.pem: the engine is asked over TLS. */
  certificates: string | undefined
}

export interface Client {
  docker: Docker
  traffic: Pick<Traffic, 'received'>
  /** How many connections broke in a way that looks like their end: what one of them delivered may not be all. */
  breaks(): number
  /** Ends every connection, with what is under way on it. */
  close(): void
}

/** @throws AppError engine_unavailable for an address that cannot be used */
export function createClient(endpoint: Endpoint): Client {
  try {
    const { options, secure } = connectOptions(endpoint)
    const agent = engineAgent(secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true }))
    const traffic = followTraffic(agent)
    // The library fills every absent option from the environment; an empty one keeps our decision.
    const docker = new Docker({ host: '', timeout: 0, ...options, agent } as Docker.DockerOptions)
    checkPaths(docker)
    const close = () => {
      agent.destroy()
      traffic.cut()
    }
    return { docker, traffic, breaks: () => 0, close }
  } catch (cause) {
    throw new AppError('engine_unavailable', `The engine at ${endpoint.host} cannot be used: ${messageOf(cause)}`, {
      cause,
    })
  }
}

function connectOptions({ host, certificates }: Endpoint): { options: Docker.DockerOptions; secure: boolean } {
  if (host.startsWith('unix://')) return { options: { socketPath: host.slice('unix://'.length) }, secure: false }
  if (host.startsWith('npipe://')) return { options: { socketPath: host.slice('npipe://'.length) }, secure: false }
  const url = new URL(host)
  if (!['tcp:', 'http:', 'https:'].includes(url.protocol)) {
    throw new Error(`${url.protocol}// is not supported; unix://, npipe://, ssh://, tcp:// and https:// are.`)
  }
  const secure = url.protocol === 'https:' || certificates !== undefined
  const keys = certificates === undefined ? {} : readCertificates(certificates)
  const port = url.port || (secure ? '2376' : '2375')
  return { options: { host: url.hostname, port, protocol: secure ? 'https' : 'http', ...keys }, secure }
}

function readCertificates(folder: string): Docker.DockerOptions {
  const read = (name: string) => {
    const file = join(folder, name)
    // What is not a file may never end.
    if (!statSync(file).isFile()) throw new Error(`${name} is not a file.`)
    return readFileSync(file)
  }
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}
