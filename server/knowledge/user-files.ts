import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { SKILL_LIMITS, type SkillFile } from '../domain/skill.ts'
import { SKILL_FOLDERS, TOOL_SERVER_FILE } from './parse-skill.ts'
import { SUB_AGENT_FOLDERS } from './parse-sub-agent.ts'
import { cutMemory, MEMORY_FILE } from './repository-files.ts'

const MAX_DEPTH = 4

export interface UserFiles {
  skills: SkillFile[]
  memory: string | null
  problems: string[]
}

/**
 * The user's own skills, in the home folder of this machine. They may be copies of somebody's repository: a link is followed
 * only from one of the skill folders itself, where the user has put it, and only to a folder or to a Markdown file.
 */
export async function readUserFiles(home: string): Promise<UserFiles> {
  const found: UserFiles = { skills: [], memory: await readMemory(home), problems: [] }
  for (const folder of [...SKILL_FOLDERS, ...SUB_AGENT_FOLDERS])
    await walk(found, home, folder, { depth: MAX_DEPTH, isTop: true })
  return found
}

async function readMemory(home: string): Promise<string | null> {
  const file = join(home, MEMORY_FILE)
  try {
    const { size } = await stat(file)
    return size > SKILL_LIMITS.fileBytes ? null : cutMemory(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}

async function walk(
  found: UserFiles,
  home: string,
  folder: string,
  place: { depth: number; isTop: boolean },
): Promise<void> {
  const entries = await readdir(join(home, folder), { withFileTypes: true }).catch(() => [])
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.skills.length >= SKILL_LIMITS.files) return
    const path = `${folder}/${entry.name}`
    const linked = entry.isSymbolicLink()
    if (linked && !place.isTop) continue
    const kind = linked ? await kindOf(join(home, path)) : entry
    if (kind?.isDirectory()) await enter(found, home, path, { depth: place.depth, linked })
    else if (kind?.isFile() && isSkillText(entry.name)) await add(found, home, path)
  }
}

async function kindOf(path: string) {
  return stat(path).catch(() => undefined)
}

async function enter(
  found: UserFiles,
  home: string,
  folder: string,
  { depth, linked }: { depth: number; linked: boolean },
): Promise<void> {
  const entries = await readdir(join(home, folder), { withFileTypes: true }).catch(() => [])
  const skill = entries.find(entry => entry.isFile() && entry.name.toLowerCase() === 'skill.md')
  if (skill) await add(found, home, `${folder}/${skill.name}`)
  if (skill && entries.some(entry => entry.name === TOOL_SERVER_FILE)) {
    const path = `~/${folder}/${TOOL_SERVER_FILE}`
    found.problems.push(
      `${path}: tool servers of your own skills are not started. Add them in Settings › Tool servers.`,
    )
  }
  if (!skill && !linked && depth > 0) await walk(found, home, folder, { depth: depth - 1, isTop: false })
}

function isSkillText(name: string): boolean {
  return /\.md$/i.test(name) && !name.startsWith('.') && name !== 'README.md'
}

async function add(found: UserFiles, home: string, path: string): Promise<void> {
  const told = `~/${path}`
  try {
    const real = await realpath(join(home, path))
    if (!/\.md$/i.test(real)) return void found.problems.push(`${told} is a link to something else than Markdown.`)
    const { size } = await stat(real)
    if (size > SKILL_LIMITS.fileBytes) {
      return void found.problems.push(`${told} is larger than ${SKILL_LIMITS.fileBytes / 1024} KiB.`)
    }
    found.skills.push({ source: 'user', root: home, path, text: await readFile(real, 'utf8') })
  } catch {
    found.problems.push(`${told} could not be read.`)
  }
}

const MAX_RESOURCES = 100
const MAX_RESOURCE_BYTES = 4 * 2 ** 20

/** The other files of one of the user's skills, to be given to a sandbox. Links are left out. */
export async function readSkillFolder(folder: string): Promise<{ path: string; content: Buffer; mode: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && !entry.parentPath.split(sep).includes('.git'))
  const read: { path: string; content: Buffer; mode: number }[] = []
  let bytes = 0
  for (const entry of files.slice(0, MAX_RESOURCES)) {
    const file = join(entry.parentPath, entry.name)
    const { size, mode } = await stat(file)
    bytes += size
    if (bytes > MAX_RESOURCE_BYTES) break
    read.push({ path: relative(folder, file).split(sep).join('/'), content: await readFile(file), mode: mode & 0o755 })
  }
  return read
}
