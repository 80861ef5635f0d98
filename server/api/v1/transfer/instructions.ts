import { z } from 'zod'
import { route } from '../../contract/route.ts'

const tag = 'Data'

export const INSTRUCTIONS_PROGRAMS = [
  'claude_code',
  'codex',
  'gemini_cli',
  'opencode',
  'copilot_cli',
  'amp',
  'agents',
] as const
const program = z.enum(INSTRUCTIONS_PROGRAMS)
export type InstructionsProgram = z.output<typeof program>

export const userInstructions = z.object({
  program: program.describe('Whose file it is; `agents` is the one of no program in particular.'),
  name: z.string().describe('Name of the program.'),
  path: z.string().describe('The file, with `~/` for the home folder of this computer.'),
  size_bytes: z.int().nullable().describe('Its size; null where it is gone.'),
  state: z
    .enum(['found', 'imported', 'changed', 'gone'])
    .describe(
      '`found`: not imported. `imported`: agents read the same. `changed`: agents read what stood there before. `gone`: agents read it, though the file is not there any more.',
    ),
  imported_as: z.string().describe('The skill that agents read once it is imported, with `~/`.'),
})
export type UserInstructions = z.output<typeof userInstructions>

const params = z.object({ program: program.describe('Whose file it is.') })

export const listUserInstructions = route({
  method: 'get',
  path: '/api/v1/data/instructions',
  summary: 'Instructions that a person has written for other agents',
  description:
    'Lists files such as `~/.claude/CLAUDE.md` and `~/.codex/AGENTS.md` that are on this computer, and whether Atelier has imported them. They are only read.',
  tag,
  reply: z.object({
    items: z.array(userInstructions).describe('Files that are there, or were imported from there.'),
    looked_for: z.array(z.string()).describe('All files that are looked for.'),
  }),
})

export const importUserInstructions = route({
  method: 'put',
  path: '/api/v1/data/instructions/{program}',
  summary: 'Import instructions for another agent',
  description:
    'Copies the file as it is now into the folder of the user’s own skills, where agents of new conversations always read it. What was imported from it before is replaced.',
  tag,
  params,
  failures: ['not_found', 'too_large', 'conflict'],
  reply: userInstructions,
})

export const removeUserInstructions = route({
  method: 'delete',
  path: '/api/v1/data/instructions/{program}',
  summary: 'Remove imported instructions',
  description: 'Deletes the copy that agents read. The file itself stays.',
  tag,
  params,
  failures: ['not_found', 'conflict'],
  reply: z.object({ success: z.literal(true).describe('Always true.') }),
})
