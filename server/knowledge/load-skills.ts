import { posix } from 'node:path'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { Skill, SkillFile } from '../domain/skill.ts'
import type { SubAgent } from '../domain/sub-agent.ts'
import { parseSkill, TOOL_SERVER_FILE } from './parse-skill.ts'
import { isSubAgentFile, parseSubAgent } from './parse-sub-agent.ts'
import { readRepositoryFiles } from './repository-files.ts'
import { readUserFiles } from './user-files.ts'

export interface LoadedSkills {
  skills: Skill[]
  subAgents: SubAgent[]
  /** What is wrong with files that were meant as skills or sub-agents, for a person. */
  problems: string[]
  /** Text of the repository's hooks file; null when there is none. */
  hooks: string | null
  repositoryMemory: string | null
  userMemory: string | null
}

export interface SkillLocations {
  /** null reads only the user's own. */
  sandbox: SandboxHandle | null
  workingDir: string
  /** Folder of this machine; null reads only the repository's. */
  userHome: string | null
  /** Some files are written for one family of models. */
  model: string | null
}

/**
 * All skills, the repository's before the user's own: the first one of a name wins.
 * @throws AppError when the sandbox cannot serve, and the signal's reason; a bad file is a problem and no error
 */
export async function loadSkills(places: SkillLocations, signal: AbortSignal): Promise<LoadedSkills> {
  const { sandbox, workingDir, userHome, model } = places
  const none = { skills: [], hooks: null, memory: null, problems: [] }
  const [repository, user] = await Promise.all([
    sandbox ? readRepositoryFiles(sandbox, workingDir, signal) : none,
    userHome === null ? none : readUserFiles(userHome),
  ])
  const files = withToolServers([...wholeFilesLast(repository.skills), ...user.skills])
  const parsed = toSkills(
    files.filter(file => !isSubAgentFile(file)),
    model,
  )
  const agents = toSubAgents(files.filter(isSubAgentFile))
  return {
    skills: parsed.skills.map(skill => withBase(skill, workingDir)),
    subAgents: agents.subAgents,
    hooks: repository.hooks,
    repositoryMemory: repository.memory,
    userMemory: user.memory,
    problems: [...repository.problems, ...user.problems, ...parsed.problems, ...agents.problems],
  }
}

/** A `.mcp.json` belongs to the skill of its folder. */
function withToolServers(files: readonly SkillFile[]): SkillFile[] {
  const isServers = ({ path }: SkillFile) => posix.basename(path) === TOOL_SERVER_FILE
  const folderOf = ({ root, path }: SkillFile) => posix.join(root, posix.dirname(path))
  const servers = new Map(files.filter(isServers).map(file => [folderOf(file), file.text]))
  return files
    .filter(file => !isServers(file))
    .map(file => {
      const text = /^skill\.md$/i.test(posix.basename(file.path)) ? servers.get(folderOf(file)) : undefined
      return text === undefined ? file : { ...file, toolServers: text }
    })
}

/** Pure. */
export function toSkills(files: readonly SkillFile[], model: string | null): Pick<LoadedSkills, 'skills' | 'problems'> {
  const byName = new Map<string, Skill>()
  const problems: string[] = []
  const always = new Set<string>()
  for (const file of files) {
    if (!isFor(model, file.path)) continue
    const { skill, problems: told } = parseSkill(file)
    const shown = shownPath(file)
    problems.push(...told.map(problem => `${shown}: ${problem}.`))
    if (!skill) continue
    const earlier = byName.get(skill.name.toLowerCase())
    if (earlier) {
      problems.push(`${shown} is hidden by ${earlier.path}, which has the same name.`)
      continue
    }
    // Often one file is a copy of another, or a link to it, for another agent.
    if (skill.activation.kind === 'always' && always.has(skill.content)) continue
    if (skill.activation.kind === 'always') always.add(skill.content)
    byName.set(skill.name.toLowerCase(), skill)
  }
  return { skills: [...byName.values()], problems }
}

/** Pure. */
export function toSubAgents(files: readonly SkillFile[]): Pick<LoadedSkills, 'subAgents' | 'problems'> {
  const subAgents: SubAgent[] = []
  const problems: string[] = []
  for (const file of files) {
    const { subAgent, problems: told } = parseSubAgent(file)
    problems.push(...told.map(problem => `${shownPath(file)}: ${problem}.`))
    if (!subAgent) continue
    const earlier = subAgents.find(({ name }) => name === subAgent.name)
    if (earlier) problems.push(`${shownPath(file)} is hidden by ${earlier.path}, which has the same name.`)
    else if (subAgents.length < MAX_SUB_AGENTS) subAgents.push(subAgent)
  }
  return { subAgents, problems }
}

/** Each is named in what the agent reads at every step. */
const MAX_SUB_AGENTS = 30

function shownPath({ source, path }: SkillFile): string {
  return source === 'user' ? `~/${path}` : path
}

/** Skills have a name of their own; whole files come after them. */
function wholeFilesLast(files: readonly SkillFile[]): SkillFile[] {
  const depth = ({ path }: SkillFile) => (/^\.(agents|openhands)\//.test(path) ? 0 : path.split('/').length)
  return files.toSorted((a, b) => depth(a) - depth(b))
}

function isFor(model: string | null, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (name === 'claude.md') return /claude|anthropic/i.test(model ?? '')
  if (name === 'gemini.md') return /gemini/i.test(model ?? '')
  return true
}

/** The user's patterns are meant from where the agent works. */
function withBase(skill: Skill, workingDir: string): Skill {
  if (skill.activation.kind !== 'paths' || skill.activation.base !== '') return skill
  return { ...skill, activation: { ...skill.activation, base: workingDir } }
}
