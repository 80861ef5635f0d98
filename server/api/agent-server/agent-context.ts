import { z } from 'zod'
import { noOtherFields, refused } from '../refused-fields.ts'
import { conversationSecrets } from '../v1/conversation/secrets.ts'

const MAX_SKILLS = 200
const words = z.array(z.string().max(200)).max(100)

const trigger = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('keyword'),
    keywords: words.describe('Words of a message that give the skill to the agent.'),
  }),
  z.object({
    type: z.literal('task'),
    triggers: words.describe('Commands, such as `/release`, that give the skill to the agent.'),
  }),
  z.object({
    type: z.literal('path'),
    paths: words.describe('Patterns of files, from the working directory, that give the skill when one is touched.'),
  }),
])

const resources = z
  .looseObject({
    scripts: z.array(z.unknown()).max(0).nullish().describe('Only empty.'),
    references: z.array(z.unknown()).max(0).nullish().describe('Only empty.'),
    assets: z.array(z.unknown()).max(0).nullish().describe('Only empty.'),
  })
  .nullish()
  .describe('Other files of the skill. Only without any: put them into the sandbox, as `.agents/skills/NAME/`.')

/** Instructions that a client brings along. */
export const clientSkill = z
  .object({
    name: z.string().min(1).max(100).describe('Name of the skill.'),
    content: z.string().max(256_000).describe('Instructions, in Markdown; a long text is cut for the model.'),
    trigger: trigger
      .nullish()
      .describe('What gives the skill to the agent; absent is always, or on request for `is_agentskills_format`.'),
    description: z.string().max(1024).nullish().describe('What the skill is for; the agent chooses by it.'),
    is_agentskills_format: z
      .boolean()
      .nullish()
      .describe('true lists the skill, and the agent reads it with `invoke_skill`.'),
    disable_model_invocation: z.boolean().nullish().describe('true keeps it out of that list.'),
    inputs: z
      .array(
        z.object({
          name: z.string().max(100).describe('Name of the input.'),
          description: z.string().max(1000).describe('What is asked for.'),
        }),
      )
      .max(50)
      .nullish()
      .describe('What the agent asks for when the message does not say it.'),
    source: z.string().max(1000).nullish().describe('Where the skill comes from, in words for the model.'),
    resources,
    mcp_tools: refused('Name tool servers in agent.mcp_config.'),
    allowed_tools: refused('Name tools in agent.tools.'),
    license: z.string().max(1000).nullish().describe('Licence of the skill, for people.'),
    compatibility: z.string().max(1000).nullish().describe('What the skill was written for, for people.'),
    metadata: z.record(z.string(), z.string()).nullish().describe('Notes about the skill, for people.'),
    version: z.string().max(100).nullish().describe('Version of the skill, for people.'),
  })
  .catchall(noOtherFields)
export type ClientSkill = z.output<typeof clientSkill>

const suffix = z.string().max(32_768)

/** What the agent is given beside its instructions. */
export const agentContext = z
  .object({
    secrets: conversationSecrets
      .nullish()
      .describe('Secrets for this conversation alone, by the name of their variable.'),
    skills: z
      .array(clientSkill)
      .max(MAX_SKILLS)
      .nullish()
      .describe("Skills beside the repository's, which win over one of the same name, and the user's own."),
    disabled_skills: words.nullish().describe('Names of skills that the agent is not given, wherever they come from.'),
    load_project_skills: z.boolean().nullish().describe("false leaves out the repository's skills; absent is true."),
    load_user_skills: z.boolean().nullish().describe("false leaves out the user's own skills; absent is true."),
    load_memory: z
      .boolean()
      .nullish()
      .describe(
        'false leaves out `.openhands/memory/MEMORY.md` of the working directory and of the home folder; absent is true.',
      ),
    memory_context: suffix.nullish().describe('Text to remember, in place of those files.'),
    system_message_suffix: suffix.nullish().describe("Text after the agent's instructions."),
    user_message_suffix: suffix.nullish().describe('Text after each message of the user, for the agent alone.'),
    current_datetime: z.string().max(200).nullish().describe('Date that the agent is told; absent is today.'),
    load_public_skills: z.literal(false).nullish().describe('Only false: skills are not downloaded.'),
    marketplace_path: z
      .string()
      .nullish()
      .describe('Which public skills `load_public_skills` would load, which is always off.'),
    registered_marketplaces: refused('Skills are not downloaded: put them into the repository.'),
  })
  .catchall(noOtherFields)
