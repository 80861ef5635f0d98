import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '../machine/paths.mjs'
import { ping } from './ping.mjs'

/**
 * @typedef {{name: string, platform: string, path: string}} SocketCandidate
 * @typedef {{name: string, host: string}} Engine `host` is in the form of DOCKER_HOST
 */

/** @returns {Promise<Engine | undefined>} the first engine that answers */
export async function findEngine() {
  for (const engine of possibleEngines(readCandidates(), process.env, process.platform)) {
    const socket = engine.host.startsWith('unix://') ? engine.host.slice('unix://'.length) : undefined
    if (socket && !existsSync(socket)) continue
    if (await ping(engine.host)) return engine
  }
  return undefined
}

/** @returns {SocketCandidate[]} */
export function readCandidates() {
  return JSON.parse(readFileSync(join(projectFolder, 'server', 'docker', 'socket-candidates.json'), 'utf8'))
}

/**
 * Where to look, in order: DOCKER_HOST, the current docker context, the usual sockets.
 * @param {readonly SocketCandidate[]} candidates
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @returns {Engine[]}
 */
export function possibleEngines(candidates, env, platform) {
  // Whoever sets DOCKER_HOST means that engine and no other.
  if (env.DOCKER_HOST) return [{ name: 'DOCKER_HOST', host: env.DOCKER_HOST }]
  const context = contextHost(join(env.HOME || homedir(), '.docker'), env.DOCKER_CONTEXT)
  const usual = candidates
    .filter(candidate => candidate.platform === platform)
    .map(({ name, path }) => ({ name, path: expand(path, env) }))
    .flatMap(({ name, path }) => (path ? [{ name, host: `${platform === 'win32' ? 'npipe' : 'unix'}://${path}` }] : []))
  return context ? [context, ...usual] : usual
}

/**
 * @param {string} path
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} undefined when a placeholder has no value here
 */
function expand(path, env) {
  /** @type {Record<string, string | undefined>} */
  const values = {
    HOME: env.HOME || homedir(),
    XDG_RUNTIME_DIR: env.XDG_RUNTIME_DIR,
    UID: String(process.getuid?.() ?? ''),
  }
  const names = [...path.matchAll(/\$\{(\w+)\}/g)].map(match => match[1] ?? '')
  if (names.some(name => !values[name])) return undefined
  return path.replace(/\$\{(\w+)\}/g, (_, name) => values[name] ?? '')
}

/**
 * The endpoint of the current docker context. A context's folder is named by the SHA-256 of its name.
 * @param {string} folder `~/.docker`
 * @param {string | undefined} chosen DOCKER_CONTEXT
 * @returns {Engine | undefined}
 */
function contextHost(folder, chosen) {
  const name = chosen || readJson(join(folder, 'config.json'))?.currentContext
  if (!name || name === 'default') return undefined
  const digest = createHash('sha256').update(name).digest('hex')
  const host = readJson(join(folder, 'contexts', 'meta', digest, 'meta.json'))?.Endpoints?.docker?.Host
  return host ? { name: `docker context ${name}`, host } : undefined
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
