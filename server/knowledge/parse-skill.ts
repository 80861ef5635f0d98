import { posix } from 'node:path'
import { z } from 'zod'
import { readDocument } from '../domain/front-matter.ts'
import { isRecord } from '../domain/is-record.ts'
import { SKILL_LIMITS, type Skill, type SkillActivation, type SkillFile } from '../domain/skill.ts'
import { type SkillServers, skillServers, skillServersOfFile } from './skill-servers.ts'

export interface ParsedSkill {
  skill: Skill | null
  /** What is wrong with it, for a person; a skill may be there all the same. */
  problems: string[]
}

/** Understands one file by where it lies. Never throws. */
export function parseSkill(file: SkillFile): ParsedSkill {
  const name = posix.basename(file.path).toLowerCase()
  const inSkillFolder = SKILL_FOLDERS.some(folder => file.path.startsWith(`${folder}/`))
  if (inSkillFolder && name === 'skill.md') return parseAgentSkill(file)
  if (inSkillFolder) return parseMarkdown(file)
  return parseWholeFile(file)
}

/** First wins where two skills have one name. */
export const SKILL_FOLDERS = ['.agents/skills', '.openhands/skills', '.openhands/microagents'] as const

/** Tool servers of a `SKILL.md`, in its folder. */
export const TOOL_SERVER_FILE = '.mcp.json'

const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_NAME_LENGTH = 64

const words = z.preprocess(value => (typeof value === 'string' ? [value] : value), z.array(z.coerce.string()).nullish())

const agentSkill = z.object({
  name: z.string(),
  description: z.string(),
  triggers: words.catch(null),
  'disable-model-invocation': z.boolean().nullish().catch(null),
})

/** A folder with a `SKILL.md`, as https://agentskills.io/specification describes it. */
function parseAgentSkill(file: SkillFile): ParsedSkill {
  const folder = posix.basename(posix.dirname(file.path))
  const { fields, body, problem } = readDocument(file.text)
  if (!fields) return refused(problem ?? 'it has no front matter with name and description')
  const parsed = agentSkill.safeParse(fields)
  if (!parsed.success) return refused('its front matter lacks a name or a description')
  const { name, description, triggers, 'disable-model-invocation': userOnly } = parsed.data
  if (name.length > MAX_NAME_LENGTH || !SKILL_NAME.test(name)) {
    return refused(`its name must be at most ${MAX_NAME_LENGTH} lower-case letters, digits and single hyphens`)
  }
  if (name !== folder) return refused(`its name is ${name}, but its folder is ${folder.slice(0, MAX_NAME_LENGTH)}`)
  if (description.trim() === '') return refused('its description is empty')
  const found = triggerWords(triggers)
  const tooLong = description.trim().length > SKILL_LIMITS.description
  const skillFolder = posix.join(file.root, posix.dirname(file.path))
  const own = inSandbox(file, skillServersOfFile(file.toolServers ?? '{}', skillFolder))
  return {
    skill: {
      ...common(file, name, body),
      description: description.trim().slice(0, SKILL_LIMITS.description),
      folder: skillFolder,
      activation: found.length > 0 ? { kind: 'words', words: found } : { kind: 'invoked' },
      userOnly: userOnly === true,
      tools: Object.keys(own.servers),
      servers: own.servers,
    },
    problems: [
      ...(tooLong ? [`its description was cut after ${SKILL_LIMITS.description} characters`] : []),
      ...own.problems.map(told => `${TOOL_SERVER_FILE}: ${told}`),
    ],
  }
}

function refused(problem: string): ParsedSkill {
  return { skill: null, problems: [problem] }
}

const input = z.object({ name: z.coerce.string().min(1), description: z.coerce.string().nullish() })
const markdown = z.object({
  name: z.coerce.string().trim().min(1).max(200).nullish().catch(null),
  description: z.coerce.string().nullish().catch(null),
  triggers: words.catch(null),
  paths: words.catch(null),
  inputs: z.array(input).nullish().catch(null),
  mcp_tools: z.unknown().optional(),
})

/** A single file, with or without front matter. One that is half understood counts as plain text. */
function parseMarkdown(file: SkillFile): ParsedSkill {
  const { fields, body, problem } = readDocument(file.text)
  const parsed = markdown.parse(fields ?? {})
  const name = parsed.name ?? nameOf(file.path)
  const inputs = (parsed.inputs ?? []).map(each => ({ name: each.name, description: each.description ?? '' }))
  const triggers = triggerWords(parsed.triggers)
  if (inputs.length > 0 && !triggers.includes(`/${name}`)) triggers.push(`/${name}`)
  const patterns = triggerWords(parsed.paths)
  const own = inSandbox(file, skillServers(parsed.mcp_tools, null))
  return {
    skill: {
      ...common(file, name, body),
      description: (parsed.description ?? '').trim().slice(0, SKILL_LIMITS.description),
      activation: activationOf(file, patterns, triggers),
      inputs,
      tools: toolServers(parsed.mcp_tools),
      servers: own.servers,
    },
    problems: [...(problem === null ? [] : [`${problem}, so that it counts as plain text`]), ...own.problems],
  }
}

function activationOf(file: SkillFile, patterns: string[], triggers: string[]): SkillActivation {
  if (patterns.length > 0) return { kind: 'paths', patterns, base: file.source === 'repository' ? file.root : '' }
  return triggers.length > 0 ? { kind: 'words', words: triggers } : { kind: 'always' }
}

/** `AGENTS.md` and its like: at the root for everything, below it for the files of its folder. */
function parseWholeFile(file: SkillFile): ParsedSkill {
  const folder = posix.dirname(file.path)
  const name = file.path === '.openhands_instructions' ? 'repo_legacy' : nameOf(file.path)
  const activation: SkillActivation =
    folder === '.' ? { kind: 'always' } : { kind: 'paths', patterns: [`${literally(folder)}/**`], base: file.root }
  return { skill: { ...common(file, name, file.text), activation }, problems: [] }
}

/** A folder's name is no pattern. */
function literally(folder: string): string {
  return folder.replace(/[*?[{]/g, '[$&]')
}

function common(file: SkillFile, name: string, content: string): Omit<Skill, 'activation'> {
  return {
    name,
    description: '',
    content,
    source: file.source,
    path: file.source === 'user' ? `~/${file.path}` : file.path,
    folder: null,
    userOnly: false,
    inputs: [],
    tools: [],
    servers: {},
  }
}

/** Folders below the common one belong to the name. */
function nameOf(path: string): string {
  const folder = SKILL_FOLDERS.find(each => path.startsWith(`${each}/`))
  return path
    .slice(folder ? folder.length + 1 : 0)
    .replace(/^\./, '')
    .replace(/\.md$/i, '')
}

function triggerWords(given: readonly string[] | null | undefined): string[] {
  const found = (given ?? []).map(word => word.trim()).filter(word => word !== '')
  return [...new Set(found)]
    .filter(word => word.length <= SKILL_LIMITS.triggerCharacters)
    .slice(0, SKILL_LIMITS.triggers)
}

function toolServers(value: unknown): string[] {
  const servers = isRecord(value) ? value.stdio_servers : undefined
  const named = Array.isArray(servers) ? servers.filter(isRecord) : []
  return named.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}

/** The user's own skills lie on this machine, where nothing of theirs is run; what they need is in the settings. */
function inSandbox({ source }: SkillFile, found: SkillServers): SkillServers {
  if (source === 'repository') return found
  const names = Object.keys(found.servers)
  if (names.length === 0 && found.problems.length === 0) return found
  const told = 'tool servers of your own skills are not started. Add them in Settings › Tool servers'
  return { servers: {}, problems: [told] }
}
