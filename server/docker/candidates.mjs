import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
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

/** Of Docker's own files; nobody writes a larger one. */
const MAX_FILE_BYTES = 1024 * 1024

/** @returns {Machine} */
export function thisMachine() {
  return { env: process.env, platform: process.platform, home: homedir(), uid: process.getuid?.() }
}

/**
 * @param {Machine} machine
 * @returns {string} where the `docker` program keeps its configuration
 */
export function dockerFolder({ env, home }) {
  return env.DOCKER_CONFIG || join(home, '.docker')
}

/**
 * In the order to try: DOCKER_HOST and nothing else; or the current docker context, then the usual sockets.
 * @param {Machine} machine
 * @returns {Candidate[]}
 */
export function engineCandidates(machine) {
  const host = machine.env.DOCKER_HOST
  if (host) {
    const folder = machine.env.DOCKER_CERT_PATH || dockerFolder(machine)
    const certificates = machine.env.DOCKER_TLS_VERIFY ? folder : undefined
    const name = 'DOCKER_HOST'
    return [{ name, host: host.includes('://') ? host : `tcp://${host}`, certificates, chosen: true }]
  }
  const context = currentContext(dockerFolder(machine), machine.env.DOCKER_CONTEXT)
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
 * @param {number} limit at most so many are looked at
 * @returns {{ name: string, candidate: Candidate }[]} all docker contexts, by name; what cannot be read is left out
 */
export function engineContexts(machine, limit) {
  const folder = dockerFolder(machine)
  return namesIn(join(folder, 'contexts', 'meta'), limit)
    .flatMap(digest => {
      const name = textAt(readJson(join(folder, 'contexts', 'meta', digest, 'meta.json')), 'Name')
      // A file that says another name than that of its folder is not what Docker wrote.
      const candidate = name !== undefined && digestOf(name) === digest ? namedContext(folder, name) : undefined
      return name !== undefined && candidate ? [{ name, candidate }] : []
    })
    .sort((one, other) => one.name.localeCompare(other.name))
}

/**
 * @param {Machine} machine
 * @param {string} name
 * @returns {Candidate | undefined} as the docker context says it now; undefined where there is none of this name
 */
export function contextCandidate(machine, name) {
  return namedContext(dockerFolder(machine), name)
}

/**
 * @param {Machine} machine
 * @returns {Candidate[]}
 */
export function usualSockets({ env, platform, home, uid }) {
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
 * @param {string} folder `~/.docker`
 * @param {string | undefined} chosen DOCKER_CONTEXT
 * @returns {Candidate | undefined}
 */
function currentContext(folder, chosen) {
  const name = chosen || textAt(readJson(join(folder, 'config.json')), 'currentContext')
  return name && name !== 'default' ? namedContext(folder, name) : undefined
}

/**
 * @param {string} folder `~/.docker`
 * @param {string} name
 * @returns {Candidate | undefined}
 */
function namedContext(folder, name) {
  const digest = digestOf(name)
  const host = textAt(readJson(join(folder, 'contexts', 'meta', digest, 'meta.json')), 'Endpoints', 'docker', 'Host')
  if (!host) return undefined
  const keys = join(folder, 'contexts', 'tls', digest, 'docker')
  const certificates = existsSync(join(keys, 'ca.pem')) ? keys : undefined
  return { name: `docker context ${name}`, host, certificates, chosen: true }
}

/**
 * @param {string} name
 * @returns {string} how the folders of a context are called
 */
function digestOf(name) {
  return createHash('sha256').update(name).digest('hex')
}

/**
 * @param {string} folder
 * @param {number} limit
 * @returns {string[]} none where it cannot be read
 */
function namesIn(folder, limit) {
  try {
    return readdirSync(folder).slice(0, limit)
  } catch {
    return []
  }
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
 * @param {string} file one that Docker or Podman writes
 * @returns {unknown} undefined when it cannot be read
 */
export function readJson(file) {
  try {
    // What is not a file may never end.
    const found = statSync(file)
    return found.isFile() && found.size <= MAX_FILE_BYTES ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  } catch {
    return undefined
  }
}
