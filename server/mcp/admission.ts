import type { RepositoryItem } from '../api/v1/conversation/repository-trust.ts'
import type { McpServer } from '../api/v1/settings/mcp-servers.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { inspectToolServer, type ServerWithSecrets } from '../trust/tool-server.ts'
import { failure } from './problem.ts'
import { secretNames, secretValues } from './secret-values.ts'

export interface ServerByName {
  name: string
  server: McpServer
}

/** Where a command of the sandbox starts, and on which condition. */
export interface Admission {
  cwd: string | null
  /** Files that must still hold this text when it starts. */
  guard: readonly { path: string; text: string }[]
  /** It runs files of the repository with secrets, since a person trusts them. */
  byTrust: boolean
}

/** Carries no secrets: it starts where the agent works. */
const UNRESTRICTED: Omit<Admission, 'cwd'> = { guard: [], byTrust: false }
/** One that is given no secrets. */
export function unrestricted({ server }: ServerByName): Admission {
  return { cwd: server.transport === 'stdio' ? server.cwd : null, ...UNRESTRICTED }
}

/** No clone puts its files here, which package managers and interpreters would load. */
const NEUTRAL_FOLDER = '/'

export interface AdmissionOptions {
  sandbox: SandboxHandle
  /** Where the repository is. */
  folder: string
  /** Names of the secrets that there are. */
  secrets: readonly string[]
  isTrusted: (item: RepositoryItem) => boolean
  signal: AbortSignal
}

/** @throws McpFailure for one that carries secrets and runs files of a repository that is not trusted */
export async function admit(
  { name, server }: ServerByName,
  { sandbox, folder, secrets, isTrusted, signal }: AdmissionOptions,
): Promise<Admission> {
  const given = carryingSecrets({ name, server }, secrets)
  const cwd = server.transport === 'stdio' ? server.cwd : null
  if (!given) return { cwd, ...UNRESTRICTED }
  const item = await inspectToolServer(given, { sandbox, folder, signal })
  if (!item) return { cwd: cwd ?? NEUTRAL_FOLDER, ...UNRESTRICTED }
  if (!isTrusted(item)) {
    throw failure(
      'trust',
      `It would get ${given.carries.join(', ')}, and runs files of a repository that is not trusted.`,
    )
  }
  const [, ...files] = item.files
  const guard = files.flatMap(({ path, text }) => (text === null ? [] : [{ path: `${folder}/${path}`, text }]))
  return { cwd: cwd ?? folder, guard, byTrust: true }
}

/** null for a server that is no command, or carries nothing secret. @param secrets names of those that there are */
export function carryingSecrets({ name, server }: ServerByName, secrets: readonly string[]): ServerWithSecrets | null {
  if (server.transport !== 'stdio') return null
  const carries = secretNames(server, secrets)
  if (carries.length === 0) return null
  const { command, args, env, cwd } = server
  const values = new Set(secretValues(server))
  const words = [...args, ...Object.values(env)].filter(word => !values.has(word.replace(/^--?[\w-]+=/, '')))
  return { name, command, words, cwd, carries }
}
