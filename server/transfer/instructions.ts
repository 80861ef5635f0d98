import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  INSTRUCTIONS_PROGRAMS,
  type InstructionsProgram,
  type UserInstructions,
} from '../api/v1/transfer/instructions.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import { SKILL_LIMITS } from '../domain/skill.ts'

/** Where programs keep what a person has written for all of their work. */
const FILES: Readonly<Record<InstructionsProgram, { name: string; path: string }>> = {
  claude_code: { name: 'Claude Code', path: '.claude/CLAUDE.md' },
  codex: { name: 'Codex', path: '.codex/AGENTS.md' },
  gemini_cli: { name: 'Gemini CLI', path: '.gemini/GEMINI.md' },
  opencode: { name: 'opencode', path: '.config/opencode/AGENTS.md' },
  copilot_cli: { name: 'GitHub Copilot CLI', path: '.copilot/copilot-instructions.md' },
  amp: { name: 'Amp', path: '.config/amp/AGENTS.md' },
  agents: { name: 'AGENTS.md', path: '.config/AGENTS.md' },
}

/** Instructions for other agents, which become skills of the user's own: those are always read where they have no triggers. */
export class InstructionsImport {
  readonly #home: string

  constructor(home: string) {
    this.#home = home
  }

  get lookedFor(): string[] {
    return INSTRUCTIONS_PROGRAMS.map(program => `~/${FILES[program].path}`)
  }

  async list(): Promise<UserInstructions[]> {
    const all = await Promise.all(INSTRUCTIONS_PROGRAMS.map(program => this.#look(program)))
    return all.filter(item => item !== undefined)
  }

  /** @throws AppError not_found, too_large, or conflict where the copy cannot be written */
  async import(program: InstructionsProgram): Promise<UserInstructions> {
    const { name, path } = FILES[program]
    const size = await this.#sizeOf(path)
    if (size === undefined)
      throw new AppError('not_found', `There is no ~/${path} on this computer. Write instructions for ${name} first.`)
    // The head counts too: a skill that is larger is not read.
    if (size + asSkill(program, '').length > SKILL_LIMITS.fileBytes) {
      const most = SKILL_LIMITS.fileBytes / 1024
      throw new AppError(
        'too_large',
        `~/${path} is too long: as a skill it would have more than ${most} KiB. Shorten it, then import it again.`,
      )
    }
    const target = join(this.#home, skillOf(program))
    const partial = `${target}.partial`
    try {
      const text = await this.#read(path)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(partial, asSkill(program, text))
      await rename(partial, target)
    } catch (error) {
      await rm(partial, { force: true }).catch(() => {})
      throw notWritten(program, error)
    }
    return { ...described(program), size_bytes: size, state: 'imported' }
  }

  /** @throws AppError not_found, or conflict where the copy cannot be deleted */
  async remove(program: InstructionsProgram): Promise<void> {
    const target = join(this.#home, skillOf(program))
    try {
      await rm(target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw notWritten(program, error)
      throw new AppError('not_found', `~/${FILES[program].path} is not imported. GET the list to see what is.`)
    }
  }

  /** @returns undefined where there is neither the file nor a copy of it */
  async #look(program: InstructionsProgram): Promise<UserInstructions | undefined> {
    const { path } = FILES[program]
    const [size, copy] = await Promise.all([this.#sizeOf(path), this.#copyOf(program)])
    if (size === undefined) {
      return copy === undefined ? undefined : { ...described(program), size_bytes: null, state: 'gone' }
    }
    if (copy === undefined) return { ...described(program), size_bytes: size, state: 'found' }
    const isSame = size <= SKILL_LIMITS.fileBytes && copy === asSkill(program, await this.#read(path).catch(() => ''))
    return { ...described(program), size_bytes: size, state: isSame ? 'imported' : 'changed' }
  }

  /** Links are followed: many people keep such files elsewhere. undefined for what is no file. */
  async #sizeOf(path: string): Promise<number | undefined> {
    const found = await stat(join(this.#home, path)).catch(() => undefined)
    return found?.isFile() ? found.size : undefined
  }

  async #copyOf(program: InstructionsProgram): Promise<string | undefined> {
    const skill = skillOf(program)
    const size = await this.#sizeOf(skill)
    if (size === undefined) return undefined
    // What somebody has made of it that no skill can be.
    return size > 2 * SKILL_LIMITS.fileBytes ? '' : this.#read(skill).catch(() => '')
  }

  #read(path: string): Promise<string> {
    return readFile(join(this.#home, path), 'utf8')
  }
}

function described(program: InstructionsProgram): Pick<UserInstructions, 'program' | 'name' | 'path' | 'imported_as'> {
  const { name, path } = FILES[program]
  return { program, name, path: `~/${path}`, imported_as: `~/${skillOf(program)}` }
}

function skillOf(program: InstructionsProgram): string {
  return `.agents/skills/${nameOf(program)}.md`
}

function nameOf(program: InstructionsProgram): string {
  return program === 'agents' ? 'my-instructions' : `${program.replaceAll('_', '-')}-instructions`
}

/** With a head of its own, so that one in the file is text, and gives it no triggers. */
function asSkill(program: InstructionsProgram, text: string): string {
  return `---\nname: ${nameOf(program)}\n---\n${text}`
}

function notWritten(program: InstructionsProgram, error: unknown): AppError {
  return new AppError(
    'conflict',
    `~/${skillOf(program)} cannot be changed (${messageOf(error)}). Check the rights of that folder and the space on the disk, then try again.`,
  )
}
