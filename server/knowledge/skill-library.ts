import { posix } from 'node:path'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { isInvocable, type Skill } from '../domain/skill.ts'
import type { SkillLibrary } from '../domain/skill-library.ts'
import { type CommandPlace, withCommandsRun } from './skill-commands.ts'
import { bodyOf } from './skill-text.ts'
import { readSkillFolder } from './user-files.ts'

/** Where the user's own skills are put into a sandbox when they are read. */
const USER_SKILLS = '/tmp/user-skills'
const MAX_LISTED = 50

export function createSkillLibrary(skills: () => readonly Skill[], commands: CommandPlace): SkillLibrary {
  const { sandbox } = commands
  const invocable = () => skills().filter(isInvocable)
  return {
    list: () => invocable().map(({ name, description }) => ({ name, description })),
    read: async (name, signal) => {
      const wanted = name.trim().replace(/^\//, '').toLowerCase()
      const skill = invocable().find(each => each.name.toLowerCase() === wanted)
      if (!skill) throw notThere(name, invocable())
      const files = await filesOf(skill, sandbox, signal)
      const read = await withCommandsRun(skill, commands, signal)
      const body = `Skill ${skill.name} (${skill.path})\n\n${bodyOf(read)}`
      return files.paths.length === 0 ? body : `${body}\n\nIts files are in ${files.folder}:\n${files.paths.join('\n')}`
    },
  }
}

function notThere(name: string, skills: readonly Skill[]): AppError {
  const names = skills.map(skill => skill.name).join(', ')
  const rest = names ? `Skills: ${names}.` : 'There are no skills in this conversation.'
  return new AppError('not_found', `There is no skill "${name.slice(0, 100)}". ${rest}`)
}

async function filesOf(
  skill: Skill,
  sandbox: () => Promise<SandboxHandle>,
  signal: AbortSignal,
): Promise<{ folder: string; paths: string[] }> {
  const { folder } = skill
  if (folder === null) return { folder: '', paths: [] }
  if (skill.source === 'repository') return { folder, paths: await listFiles(await sandbox(), folder, signal) }
  const files = (await readSkillFolder(folder)).filter(({ path }) => path.toLowerCase() !== 'skill.md')
  const inside = posix.join(USER_SKILLS, skill.name)
  if (files.length > 0) await (await sandbox()).writeFiles(inside, files)
  return { folder: inside, paths: files.map(({ path }) => path).slice(0, MAX_LISTED) }
}

const LIST = 'for file in scripts/* references/* assets/*; do [ -f "$file" ] && printf "%s\\0" "$file"; done; exit 0'

async function listFiles(sandbox: SandboxHandle, folder: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { stdout } = await sandbox.exec({ argv: ['/bin/sh', '-c', LIST], cwd: folder, signal })
    return stdout.split('\0').filter(Boolean).slice(0, MAX_LISTED)
  } catch (error) {
    // The folder may have gone since it was read.
    if (error instanceof AppError && error.code === 'file_not_found') return []
    throw error
  }
}
