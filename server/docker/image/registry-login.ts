import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../domain/errors.ts'
import { dockerFolder, type Machine, readJson } from '../candidates.mjs'

/** How the engine introduces itself to a registry: https://docs.docker.com/reference/api/engine/#section/Authentication */
type RegistryAuth = { serveraddress: string } & ({ username: string; password: string } | { identitytoken: string })

/** What a person has left for a registry; both are absent where they never logged in to it. */
export interface RegistryLogin {
  auth?: RegistryAuth
  /** Why a login that is there cannot be used. */
  problem?: string
}

const MAX_ANSWER_BYTES = 64 * 1024
/** A keychain may ask its owner first. */
const HELPER_MS = 60_000
/** A name that cannot lead to another folder or add an argument. */
const HELPER_NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/
/** By which logins to Docker Hub are kept, whatever it is called elsewhere. */
const DOCKER_HUB = 'https://index.docker.io/v1/'

const text = z.string().optional().catch(undefined)
const texts = z.record(z.string(), z.string()).catch({})
const configSchema = z.object({
  auths: z.record(z.string(), z.object({ auth: text, identitytoken: text }).catch({})).catch({}),
  credHelpers: texts,
  credsStore: text,
})
type Config = z.output<typeof configSchema>

const answerSchema = z.object({ Username: z.string(), Secret: z.string() })

/**
 * What `docker login` or `podman login` has kept for the registry of an image, read anew for each pull: from the files of the two,
 * or from the program that keeps it for them (https://docs.docker.com/reference/cli/docker/login/#credential-stores).
 * @param reference as `docker pull` takes it
 */
export async function registryLogin(reference: string, machine: Machine, signal?: AbortSignal): Promise<RegistryLogin> {
  const repository = repositoryOf(reference)
  let problem: string | undefined
  for (const path of loginFiles(machine)) {
    const { data: config } = configSchema.safeParse(readJson(path))
    const login = config && (await loginIn(config, { repository, machine, signal }))
    if (login?.auth) return login
    // An engine that was removed leaves the name of its program behind, and another one may have a login.
    problem ??= login?.problem
  }
  return problem === undefined ? {} : { problem }
}

/** Host of the registry of an image, with its port: `docker.io` where it names none. */
export function registryOf(reference: string): string {
  return repositoryOf(reference).split('/')[0] ?? ''
}

function loginFiles(machine: Machine): string[] {
  const { env, home } = machine
  return [
    join(dockerFolder(machine), 'config.json'),
    ...(env.REGISTRY_AUTH_FILE ? [env.REGISTRY_AUTH_FILE] : []),
    ...(env.XDG_RUNTIME_DIR ? [join(env.XDG_RUNTIME_DIR, 'containers', 'auth.json')] : []),
    join(home, '.config', 'containers', 'auth.json'),
  ]
}

/** With the host of its registry, without tag and digest. */
function repositoryOf(reference: string): string {
  const path = reference.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
  const [first = '', ...rest] = path.split('/')
  if (rest.length === 0) return `docker.io/library/${first}`
  const isHost = /[.:]/.test(first) || first === 'localhost'
  return isHost ? [hostOf(first), ...rest].join('/') : `docker.io/${path}`
}

function hostOf(host: string): string {
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? 'docker.io' : host
}

interface Wanted {
  repository: string
  machine: Machine
  signal: AbortSignal | undefined
}

/** A program for this registry alone counts before the file, and the file before a program for all. */
async function loginIn({ auths, credHelpers, credsStore }: Config, wanted: Wanted): Promise<RegistryLogin | undefined> {
  const helper = matching(credHelpers, wanted.repository)
  if (helper !== undefined) return askHelper(helper, wanted)
  const { auth, identitytoken } = matching(auths, wanted.repository) ?? {}
  const serveraddress = serverAddress(wanted.repository)
  if (identitytoken) return { auth: { serveraddress, identitytoken } }
  const pair = auth && /^([^:]+):([^\0]*)\0*$/s.exec(Buffer.from(auth, 'base64').toString('utf8'))
  if (pair) return { auth: { serveraddress, username: pair[1] ?? '', password: pair[2] ?? '' } }
  return credsStore === undefined ? undefined : askHelper(credsStore, wanted)
}

/** Podman keeps logins for parts of a registry too: the longest counts. */
function matching<T>(entries: Readonly<Record<string, T>>, repository: string): T | undefined {
  const known = new Map(Object.entries(entries).map(([key, value]) => [entryKey(key), value]))
  for (let path = repository; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
    if (known.has(path)) return known.get(path)
  }
  return undefined
}

/** Docker kept addresses with a scheme and a version of the protocol once, and keeps that of Docker Hub so to this day. */
function entryKey(key: string): string {
  const [host = '', ...path] = key
    .replace(/^https?:\/\//, '')
    .replace(/\/v[12]\/?$/, '')
    .replace(/\/$/, '')
    .split('/')
  return [hostOf(host), ...path].join('/')
}

function serverAddress(repository: string): string {
  const host = repository.split('/')[0] ?? ''
  return host === 'docker.io' ? DOCKER_HUB : host
}

/** By the protocol of https://github.com/docker/docker-credential-helpers: the address goes in, a JSON object comes out. */
async function askHelper(name: string, { repository, machine, signal }: Wanted): Promise<RegistryLogin | undefined> {
  if (!HELPER_NAME.test(name)) return { problem: `Docker's config.json names a login program that cannot be one.` }
  const program = `docker-credential-${name}`
  const serveraddress = serverAddress(repository)
  try {
    const { Username, Secret } = answerOf(await run(program, { input: serveraddress, machine, signal }))
    if (Username === '<token>') return { auth: { serveraddress, identitytoken: Secret } }
    return { auth: { serveraddress, username: Username, password: Secret } }
  } catch (error) {
    signal?.throwIfAborted()
    const said = messageOf(error)
    if (/credentials not found/i.test(said)) return undefined
    return { problem: `${program} gave no login: ${said}.` }
  }
}

/** @throws Error in words that hold nothing of a secret */
function answerOf(output: string): z.output<typeof answerSchema> {
  try {
    return answerSchema.parse(JSON.parse(output))
  } catch {
    throw new Error('it did not answer as such a program does')
  }
}

interface RunOptions {
  input: string
  machine: Machine
  signal: AbortSignal | undefined
}

/** @throws Error in words that hold nothing of a secret */
function run(program: string, { input, machine, signal }: RunOptions): Promise<string> {
  const options = {
    env: { ...machine.env, PATH: searchPath(machine) },
    // Windows looks for programs in the current folder first, which may be a repository.
    cwd: machine.home,
    timeout: HELPER_MS,
    maxBuffer: MAX_ANSWER_BYTES,
    windowsHide: true,
    ...(signal && { signal }),
  }
  return new Promise((resolve, reject) => {
    const child = execFile(program, ['get'], options, (error, stdout) => {
      if (!error) return resolve(stdout)
      reject(new Error(reasonOf(error, stdout)))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Such a program tells in a line of its output why there is nothing; a secret comes as JSON, which is not repeated. */
function reasonOf(error: { code?: unknown; killed?: boolean | undefined }, stdout: string): string {
  if (error.code === 'ENOENT') return 'it is not installed'
  if (error.killed) return 'it did not answer in time'
  const said = typeof error.code === 'number' ? (stdout.trim().split('\n')[0] ?? '') : ''
  return said !== '' && !said.includes('{') ? said.slice(0, 200).replace(/\.$/, '') : 'it failed'
}

/** An app that a desktop has started does not know the folders that a person's shell adds. */
function searchPath({ env, platform, home }: Machine): string {
  const own = env.PATH ?? env.Path ?? ''
  if (platform === 'win32') return own
  const usual = ['/usr/local/bin', join(home, '.docker', 'bin'), join(home, '.rd', 'bin')]
  const mac = ['/opt/homebrew/bin', '/Applications/Docker.app/Contents/Resources/bin']
  return [own, ...usual, ...(platform === 'darwin' ? mac : [])].filter(Boolean).join(delimiter)
}
