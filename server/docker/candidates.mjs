import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where an engine may answer, for the service and, before any package is installed, for the set-up: plain JavaScript that
 * imports nothing but Node.js.
 *
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} host as in DOCKER_HOST: `unix://…`, `npipe://…`, `tcp://…`
 * @property {string | undefined} certificates a folder with ca.pem, cert.pem and key.pem: the engine is asked over TLS
 * @property {boolean} chosen somebody named it, in DOCKER_HOST or as the docker context
 *
 * @typedef {object} Machine
 * @property {NodeJS.ProcessEnv} env
 * @property {NodeJS.Platform} platform
 * @property {string} home
 * @property {number | undefined} uid
 */

/** @type {Partial<Record<NodeJS.Platform, readonly (readonly [name: string, path: string])[]>>} */
const USUAL_SOCKETS = {
  linux: [
    ['Docker', '/var/run/docker.sock'],
    ['Docker (rootless)', '$XDG_RUNTIME_DIR/docker.sock'],
    ['Docker (rootless)', '/run/user/$UID/docker.sock'],
    ['Docker (rootless)', '$HOME/.docker/run/docker.sock'],
    ['Docker Desktop', '$HOME/.docker/desktop/docker.sock'],
    ['Podman (rootless)', '$XDG_RUNTIME_DIR/podman/podman.sock'],
    ['Podman (rootless)', '/run/user/$UID/podman/podman.sock'],
    ['Podman', '/run/podman/podman.sock'],
    ['Colima', '$HOME/.colima/default/docker.sock'],
    ['Rancher Desktop', '$HOME/.rd/docker.sock'],
    ['Atelier', '/run/atelier/docker.sock'],
  ],
  darwin: [
    ['Docker Desktop', '$HOME/.docker/run/docker.sock'],
    ['Docker', '/var/run/docker.sock'],
    ['OrbStack', '$HOME/.orbstack/run/docker.sock'],
    ['Colima', '$HOME/.colima/default/docker.sock'],
    ['Colima', '$HOME/.config/colima/default/docker.sock'],
    ['Rancher Desktop', '$HOME/.rd/docker.sock'],
    ['Podman', '$HOME/.local/share/containers/podman/machine/podman.sock'],
    ['Podman', '$HOME/.local/share/containers/podman/machine/qemu/podman.sock'],
  ],
  win32: [
    ['Docker Desktop', '//./pipe/docker_engine'],
    ['Docker Desktop', '//./pipe/dockerDesktopLinuxEngine'],
    ['Podman', '//./pipe/podman-machine-default'],
  ],
}

/** @returns {Machine} */
export function thisMachine() {
  return { env: process.env, platform: process.platform, home: homedir(), uid: process.getuid?.() }
}

/**
 * In the order to try: DOCKER_HOST and nothing else; or the current docker context, then the usual sockets.
 * @param {Machine} machine
 * @returns {Candidate[]}
 */
export function engineCandidates(machine) {
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

/**
 * @param {Candidate} candidate
 * @returns {boolean} whether it is a socket whose file is not there; connecting to it would only cost an error
 */
export function isMissingSocket({ host }) {
  return host.startsWith('unix://') && !existsSync(host.slice('unix://'.length))
}

/**
 * @param {Machine} machine
 * @returns {Candidate[]}
 */
function usualSockets({ env, platform, home, uid }) {
  /** @type {Record<string, string | undefined>} */
  const values = { HOME: home, XDG_RUNTIME_DIR: env.XDG_RUNTIME_DIR, UID: uid?.toString() }
  const scheme = platform === 'win32' ? 'npipe' : 'unix'
  const seen = new Set()
  return (USUAL_SOCKETS[platform] ?? []).flatMap(([name, path]) => {
    const host = `${scheme}://${path.replace(/\$(\w+)/g, (_, variable) => values[variable] || '\0')}`
    if (host.includes('\0') || seen.has(host)) return []
    seen.add(host)
    return [{ name, host, certificates: undefined, chosen: false }]
  })
}

/**
 * A context's folders are named by the SHA-256 of its name.
 * @param {string} folder `~/.docker`
 * @param {string | undefined} chosen DOCKER_CONTEXT
 * @returns {Candidate | undefined}
 */
function currentContext(folder, chosen) {
  const name = chosen || textAt(readJson(join(folder, 'config.json')), 'currentContext')
  if (!name || name === 'default') return undefined
  const digest = createHash('sha256').update(name).digest('hex')
  const host = textAt(readJson(join(folder, 'contexts', 'meta', digest, 'meta.json')), 'Endpoints', 'docker', 'Host')
  if (!host) return undefined
  const keys = join(folder, 'contexts', 'tls', digest, 'docker')
  const certificates = existsSync(join(keys, 'ca.pem')) ? keys : undefined
  return { name: `docker context ${name}`, host, certificates, chosen: true }
}

/**
 * @param {unknown} value what a damaged file may hold
 * @param {string[]} keys
 * @returns {string | undefined}
 */
function textAt(value, ...keys) {
  for (const key of keys) value = Object(value)[key]
  return typeof value === 'string' ? value : undefined
}

/**
 * @param {string} file
 * @returns {unknown} undefined when it cannot be read
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
