import { posix } from 'node:path'
import { z } from 'zod'
import { readDocument } from '../domain/front-matter.ts'
import { SKILL_LIMITS, type SkillFile } from '../domain/skill.ts'
import { GENERAL_PURPOSE, type SubAgent } from '../domain/sub-agent.ts'

/** First wins where two have one name. */
export const SUB_AGENT_FOLDERS = ['.agents/agents', '.openhands/agents'] as const

export function isSubAgentFile({ path }: Pick<SkillFile, 'path'>): boolean {
  return SUB_AGENT_FOLDERS.some(folder => path.startsWith(`${folder}/`))
}

const list = z.preprocess(
  value => (typeof value === 'string' ? value.split(',') : value),
  z
    .array(z.coerce.string())
    .nullish()
    .transform(names => names?.map(name => name.trim()).filter(name => name !== '') ?? null),
)

const fields = z.object({
  name: z.string().nullish(),
  description: z.string(),
  model: z.string().nullish(),
  tools: list,
  max_iteration_per_run: z.int().positive().nullish(),
  max_budget_per_run: z.number().positive().nullish(),
})

/** What other programs read there and is not done here; who relies on it must know. */
export const UNSUPPORTED_FIELDS = ['skills', 'permission_mode', 'mcp_config', 'hooks'] as const

const NAME = /^[a-z0-9]+([-_][a-z0-9]+)*$/i
const MAX_NAME_LENGTH = 64
const RESERVED: ReadonlySet<string> = new Set([GENERAL_PURPOSE, 'default'])

/** Understands one file of a sub-agent folder. Never throws. @returns problems for a person; null for what cannot be used */
export function parseSubAgent(file: SkillFile): { subAgent: SubAgent | null; problems: string[] } {
  const { fields: given, body, problem } = readDocument(file.text)
  if (!given) return refused(problem ?? 'it has no front matter with a description')
  const parsed = fields.safeParse(given)
  if (!parsed.success)
    return refused(
      `its ${parsed.error.issues.map(issue => issue.path.join('.')).join(', ')} is missing or not understood`,
    )
  const name = parsed.data.name ?? posix.basename(file.path).replace(/\.md$/i, '')
  const path = file.source === 'user' ? `~/${file.path}` : file.path
  const told = UNSUPPORTED_FIELDS.filter(field => given[field] != null).map(field => `its ${field} has no effect here`)
  const { subAgent, problems } = toSubAgent({ ...parsed.data, name, prompt: body, source: file.source, path })
  return { subAgent, problems: subAgent ? [...told, ...problems] : problems }
}

/** A sub-agent as it is described, wherever that stands. */
export interface SubAgentDescription extends Pick<SubAgent, 'name' | 'description' | 'prompt' | 'source' | 'path'> {
  /** `provider/model`, or `inherit` */
  model?: string | null | undefined
  tools: string[] | null
  max_iteration_per_run?: number | null | undefined
  max_budget_per_run?: number | null | undefined
}

/** @returns problems for a person; null for what cannot be used */
export function toSubAgent(described: SubAgentDescription): { subAgent: SubAgent | null; problems: string[] } {
  const name = described.name.trim().toLowerCase()
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) {
    return refused(`its name must be at most ${MAX_NAME_LENGTH} letters, digits and single hyphens`)
  }
  if (isReservedSubAgent(name)) return refused(`the name ${name} is taken by Atelier's own`)
  const named = described.model?.trim() ?? 'inherit'
  const isModel = named.includes('/')
  return {
    subAgent: {
      name,
      description: withoutExamples(described.description).slice(0, SKILL_LIMITS.description),
      prompt: described.prompt.trim().slice(0, SKILL_LIMITS.contentCharacters),
      source: described.source,
      path: described.path,
      tools: described.tools?.map(tool => tool.toLowerCase()) ?? null,
      model: isModel ? named : null,
      maxSteps: described.max_iteration_per_run ?? null,
      maxBudget: described.max_budget_per_run ?? null,
    },
    problems:
      isModel || named === 'inherit'
        ? []
        : [`its model ${named.slice(0, 100)} is not written as provider/model, so that the conversation's is used`],
  }
}

export function isReservedSubAgent(name: string): boolean {
  return RESERVED.has(name)
}

function refused(problem: string) {
  return { subAgent: null, problems: [problem] }
}

/** Examples are for other programs that choose by them; the words before say the same. */
function withoutExamples(description: string): string {
  return description
    .replace(/<example>[\s\S]*?(<\/example>|$)/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
}
