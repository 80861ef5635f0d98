import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importUserInstructions } from '../../../server/api/v1/transfer/instructions.ts'
import type { Around } from './things.ts'

/** Instructions for other agents, in the home folder of the service: each is the program's name. */
export function instructionsThings(around: () => Around): Record<string, () => Promise<string>> {
  const write = (path: string, text: string) => {
    const file = join(around().service.dataDir, 'home', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return {
    writtenInstructions: async () => {
      write('.claude/CLAUDE.md', 'Answer briefly.')
      return 'claude_code'
    },
    importedInstructions: async () => {
      write('.config/AGENTS.md', 'Write tests.')
      await around().service.client.call(importUserInstructions, { params: { program: 'agents' } })
      return 'agents'
    },
    longInstructions: async () => {
      write('.codex/AGENTS.md', 'x'.repeat(300 * 1024))
      return 'codex'
    },
    /** Where the copy would be, there is a folder. */
    stuckInstructions: async () => {
      write('.gemini/GEMINI.md', 'Be kind.')
      write('.agents/skills/gemini-cli-instructions.md/note.txt', 'Not a file.')
      return 'gemini_cli'
    },
  }
}
