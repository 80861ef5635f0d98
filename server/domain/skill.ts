import { z } from 'zod'
import { sandboxServer } from '../api/v1/settings/mcp-servers.ts'

/** What makes a skill known to the model. */
const skillActivation = z.discriminatedUnion('kind', [
  /** Part of what every conversation begins with. */
  z.object({ kind: z.literal('always') }),
  /** When a message of the user says one of these words; a word that begins with `/` is a command. */
  z.object({ kind: z.literal('words'), words: z.array(z.string()) }),
  /** When a tool touches a file that matches; the patterns are relative to `base`, an absolute folder of the sandbox. */
  z.object({ kind: z.literal('paths'), patterns: z.array(z.string()), base: z.string() }),
  /** When the model asks for it, or the user writes `/name`. */
  z.object({ kind: z.literal('invoked') }),
])

/** Instructions for agents, from the repository or from the user's own folder. */
export const skill = z.object({
  name: z.string(),
  description: z.string(),
  /** Markdown, without the front matter. */
  content: z.string(),
  source: z.enum(['repository', 'user']),
  /** As a person names it: from the repository's root, or with `~/`. */
  path: z.string(),
  /** Folder of a `SKILL.md` with its other files: in the sandbox, or on the host for the user's own. */
  folder: z.string().nullable(),
  activation: skillActivation,
  /** Only the user may start it. */
  userOnly: z.boolean(),
  inputs: z.array(z.object({ name: z.string(), description: z.string() })),
  /** Names of the tool servers that it asks for. */
  tools: z.array(z.string()),
  /** Those of them that are started in the sandbox, by name. */
  servers: z.record(z.string(), sandboxServer).default({}),
})
export type Skill = z.output<typeof skill>
export type SkillActivation = z.output<typeof skillActivation>

type SkillSource = Skill['source']

/** Whether the model may read it with `invoke_skill`. */
export function isInvocable(candidate: Skill): boolean {
  const { folder, activation, userOnly } = candidate
  return (folder !== null || activation.kind === 'invoked') && !userOnly
}

/** A file that may hold a skill. */
export interface SkillFile {
  source: SkillSource
  /** Absolute: in the sandbox, or on the host for the user's own. */
  root: string
  /** From `root`, with slashes. */
  path: string
  text: string
  /** Text of the `.mcp.json` beside a `SKILL.md`. */
  toolServers?: string
}

/** Bounds of what a repository may bring along, so that a hostile one costs neither memory nor tokens. */
export const SKILL_LIMITS = {
  fileBytes: 256 * 1024,
  totalBytes: 2 * 2 ** 20,
  files: 200,
  /** Characters of one skill that a model is shown. */
  contentCharacters: 32_000,
  /** Characters of all skills that are always active. */
  alwaysCharacters: 64_000,
  /** Characters of a memory file that a model is shown. */
  memoryCharacters: 16_000,
  description: 1024,
  triggers: 50,
  servers: 10,
  triggerCharacters: 100,
} as const
