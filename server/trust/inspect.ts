import type { RepositoryFile, RepositoryItem, RepositoryRole } from '../api/v1/conversation/repository-trust.ts'
import { BOUNDS } from '../domain/bounds.ts'
import type { LoadedExtensions } from '../domain/loaded-extensions.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { Skill } from '../domain/skill.ts'
import { hasCommands } from '../domain/skill-commands.ts'
import type { SubAgent } from '../domain/sub-agent.ts'
import { itemDigest, sha256 } from './content.ts'
import { gitFolderFiles } from './git-folder.ts'
import { kindsOf, type RepositoryLocation, readRepositoryFile, withNamedFiles } from './read-files.ts'
import { PRE_COMMIT, SETUP_SCRIPT } from './script-text.ts'
import { inspectServices } from './services.ts'

const SCRIPTS: readonly (readonly [RepositoryRole, string])[] = [
  ['setup_script', SETUP_SCRIPT],
  ['pre_commit', PRE_COMMIT],
]

/**
 * The scripts and services of the repository in `folder` that run by themselves, read now. Files come from the engine, not from a program
 * of the sandbox, which the repository could have replaced. Links and files outside of the repository are not followed.
 * @param repository what trust is given to
 * @throws AppError of the sandbox, and the signal's reason
 */
export async function inspectScripts(
  sandbox: SandboxHandle,
  folder: string,
  { repository, signal }: { repository: string; signal: AbortSignal },
): Promise<RepositoryItem[]> {
  const scripts = SCRIPTS.map(async ([role, path]) =>
    (await sandbox.stat(`${folder}/${path}`))
      ? inspectScript({ role, path, repository }, { sandbox, folder, signal })
      : null,
  )
  const found = await Promise.all([...scripts, inspectServices({ sandbox, folder, signal })])
  return found.filter(item => item !== null)
}

/** The sub-agents that the repository describes, and its skills with commands in their text. */
export function knownItems({ subAgents, skills }: Pick<LoadedExtensions, 'subAgents' | 'skills'>): RepositoryItem[] {
  const fromRepository = ({ source }: { source: string }) => source === 'repository'
  return [
    ...subAgents.filter(fromRepository).map(subAgentItem),
    ...skills.filter(skill => fromRepository(skill) && hasCommands(skill)).map(skillItem),
  ]
}

interface Script {
  role: RepositoryRole
  path: string
  repository: string
}

async function inspectScript({ role, path, repository }: Script, place: RepositoryLocation): Promise<RepositoryItem> {
  const script = await readScript(path, place)
  // A git hook runs inside the agent's own `git commit`, which uses what is there anyway.
  const git = role === 'setup_script' ? await gitFolderFiles(repository, place) : NOTHING
  const files = [...script.files, ...git.files]
  const problem = script.problem ?? git.problem
  return { role, path, files, problem, carries: [], sha256: itemDigest({ role, path, files }) }
}

const NOTHING = { files: [], problem: null }

async function readScript(
  path: string,
  place: RepositoryLocation,
): Promise<{ files: RepositoryFile[]; problem: string | null }> {
  const [kind] = await kindsOf([path], place)
  if (kind !== 'file') return { files: [], problem: `${path} is a link, or lies outside of the repository.` }
  const entry = await readRepositoryFile(path, place)
  if (entry === null || entry.text === null) {
    return { files: entry ? [entry] : [], problem: `${path} is not text, or larger than ${KIB} KiB.` }
  }
  return withNamedFiles([entry], place)
}

const KIB = BOUNDS.trustedScript.limit / 1024

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
  return { ...item, problem: null, carries: [], sha256: itemDigest(item) }
}

/** What is hashed is the text as it is read. */
export function skillItem({ path, content }: Skill): RepositoryItem {
  const file = { path, sha256: sha256(content), size_bytes: Buffer.byteLength(content), text: content }
  const item = { role: 'skill' as const, path, files: [file] }
  return { ...item, problem: null, carries: [], sha256: itemDigest(item) }
}

export function subAgentDigest(subAgent: SubAgent): string {
  const { name, description, prompt, tools, model, maxSteps, maxBudget } = subAgent
  return sha256(JSON.stringify([name, description, prompt, tools, model, maxSteps, maxBudget]))
}
