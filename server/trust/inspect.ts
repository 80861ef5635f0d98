import { posix } from 'node:path'
import type { RepositoryFile, RepositoryItem, RepositoryRole } from '../api/repository-trust.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { isAppError } from '../errors.ts'
import type { SubAgent } from '../knowledge/sub-agent.ts'
import type { SandboxHandle } from '../sandbox/handle.ts'
import { itemDigest, sha256 } from './content.ts'
import { referencedPaths } from './references.ts'

export const SETUP_SCRIPT = '.openhands/setup.sh'
export const PRE_COMMIT = '.openhands/pre-commit.sh'

const SCRIPTS: readonly (readonly [RepositoryRole, string])[] = [
  ['setup_script', SETUP_SCRIPT],
  ['pre_commit', PRE_COMMIT],
]

/**
 * The scripts of the repository in `folder` that run by themselves, read now. Files come from the engine, not from a program
 * of the sandbox, which the repository could have replaced. Links and files outside of the repository are not followed.
 * @throws AppError of the sandbox, and the signal's reason
 */
export async function inspectScripts(
  sandbox: SandboxHandle,
  folder: string,
  signal: AbortSignal,
): Promise<RepositoryItem[]> {
  const found = await Promise.all(
    SCRIPTS.map(async ([role, path]) =>
      (await sandbox.stat(`${folder}/${path}`)) ? inspectScript({ role, path }, { sandbox, folder, signal }) : null,
    ),
  )
  return found.filter(item => item !== null)
}

/** The sub-agents that the repository describes. */
export function subAgentItems(subAgents: readonly SubAgent[]): RepositoryItem[] {
  return subAgents.filter(({ source }) => source === 'repository').map(subAgentItem)
}

interface Place {
  sandbox: SandboxHandle
  folder: string
  signal: AbortSignal
}

async function inspectScript(
  { role, path }: Pick<RepositoryItem, 'role' | 'path'>,
  place: Place,
): Promise<RepositoryItem> {
  const { files, problem } = await readScript(path, place)
  return { role, path, files, problem, sha256: itemDigest({ role, path, files }) }
}

/** The script and all files of the repository that it names, and that those name, each read once. */
async function readScript(path: string, place: Place): Promise<{ files: RepositoryFile[]; problem: string | null }> {
  const [kind] = await kindsOf([path], place)
  if (kind !== 'file') return { files: [], problem: `${path} is a link, or lies outside of the repository.` }
  const entry = await readFile(path, place)
  if (entry === null || entry.text === null) {
    return { files: entry ? [entry] : [], problem: `${path} is not text, or larger than ${KIB} KiB.` }
  }
  const files = [entry]
  const seen = new Set([path])
  for (let index = 0; index < files.length; index++) {
    const { text, path: from } = files[index] as RepositoryFile
    if (text === null) continue
    const named = referencedPaths({ path: from, text }).filter(candidate => !seen.has(candidate))
    for (const candidate of named) seen.add(candidate)
    if (seen.size > BOUNDS.trustedWords.limit) return { files, problem: TOO_MUCH }
    const kinds = await kindsOf(named, place)
    const present = named.filter((_, position) => kinds[position] === 'file')
    if (files.length + present.length > BOUNDS.trustedFiles.limit) return { files, problem: TOO_MUCH }
    const read = await Promise.all(present.map(candidate => readFile(candidate, place)))
    if (read.includes(null)) return { files, problem: TOO_MUCH }
    files.push(...read.filter(file => file !== null))
  }
  return { files, problem: null }
}

const KIB = BOUNDS.trustedScript.limit / 1024
const TOO_MUCH = 'It names more files of the repository, or larger ones, than a person could look through.'

/** null for one that is too large or has gone. */
async function readFile(path: string, { sandbox, folder, signal }: Place): Promise<RepositoryFile | null> {
  signal.throwIfAborted()
  try {
    const bytes = await sandbox.readFile(posix.join(folder, path), { maxBytes: BOUNDS.trustedFile.limit })
    return { path, sha256: sha256(bytes), size_bytes: bytes.length, text: textIn(bytes) }
  } catch (error) {
    if (
      isAppError(error, 'file_too_large') ||
      isAppError(error, 'file_not_found') ||
      isAppError(error, 'bad_request')
    ) {
      return null
    }
    throw error
  }
}

function textIn(bytes: Buffer): string | null {
  if (bytes.length > BOUNDS.trustedScript.limit || bytes.includes(0)) return null
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : null
}

/** One line for each argument. Needs nothing but the shell itself. */
const KINDS = `here=$(pwd -P)
for path; do
  if [ -L "./$path" ] || [ ! -f "./$path" ]; then echo none; continue; fi
  in=$here
  case $path in */*) in=$(cd -P -- "./\${path%/*}" 2>/dev/null && pwd -P) ;; esac
  case $in/ in "\${here%/}"/*) echo file ;; *) echo none ;; esac
done`

async function kindsOf(paths: readonly string[], { sandbox, folder, signal }: Place): Promise<string[]> {
  if (paths.length === 0) return []
  const argv = ['/bin/sh', '-c', KINDS, 'sh', ...paths]
  const { stdout } = await sandbox.exec({ argv, cwd: folder, timeoutMs: 20_000, signal })
  return stdout.split('\n')
}

/** What is hashed is the description as it is used. */
function subAgentItem(subAgent: SubAgent): RepositoryItem {
  const { path, description, prompt, tools, model } = subAgent
  const about = [
    `Description: ${description}`,
    `Tools: ${tools?.join(', ') ?? 'all'}`,
    ...(model === null ? [] : [`Model: ${model}`]),
  ]
  const text = `${about.join('\n')}\n\n${prompt}`
  const file = { path, sha256: subAgentDigest(subAgent), size_bytes: Buffer.byteLength(text), text }
  const item = { role: 'sub_agent' as const, path, files: [file] }
  return { ...item, problem: null, sha256: itemDigest(item) }
}

export function subAgentDigest(subAgent: SubAgent): string {
  const { name, description, prompt, tools, model, maxSteps, maxBudget } = subAgent
  return sha256(JSON.stringify([name, description, prompt, tools, model, maxSteps, maxBudget]))
}
