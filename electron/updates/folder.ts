import { execFile, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { UpdateError } from './problem.ts'

const SETUID = 0o4000

/**
 * Whether the folder of an unpacked archive can be replaced by a new one: its parent can be written, root has not made a
 * helper in it setuid, which the new one would lack, and nothing is in it but what the archive brought, since all of it goes.
 */
export function isReplaceable(app: string): boolean {
  try {
    accessSync(dirname(app), constants.W_OK)
    accessSync(app, constants.W_OK)
    return (statSync(join(app, 'chrome-sandbox')).mode & SETUID) === 0 && holdsOnlyItself(app)
  } catch {
    return false
  }
}

/** The list in the resources names every file, from the folder. */
function holdsOnlyItself(app: string): boolean {
  const files = new Set(
    readFileSync(join(app, 'resources', 'package-files.txt'), 'utf8')
      .trim()
      .split('\n'),
  )
  const folders = new Set([...files].flatMap(foldersOf))
  const { noAsar } = process
  // Electron's own file system takes the archive of an app for a folder.
  process.noAsar = true
  try {
    const isKnown = (folder: string): boolean =>
      readdirSync(join(app, folder), { withFileTypes: true }).every(entry => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? folders.has(path) && isKnown(path) : files.has(path)
      })
    return isKnown('')
  } finally {
    process.noAsar = noAsar
  }
}

function foldersOf(file: string): string[] {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/**
 * Unpacks an archive beside the folder of the app and puts it in its place. The running app goes on from the old folder,
 * which the next start removes.
 * @throws UpdateError not_installed; then the folder is as it was
 */
export function replaceFolder(app: string, archive: string): void {
  const next = `${app}.next`
  if (!isReplaceable(app)) throw new UpdateError('not_installed', `${app} holds files that did not come with Atelier.`)
  try {
    remove(next)
    mkdirSync(next, { mode: 0o755 })
    const args = [
      '--extract',
      '--gzip',
      `--file=${archive}`,
      `--directory=${next}`,
      '--strip-components=1',
      '--no-same-owner',
    ]
    const { status, error, stderr } = spawnSync('tar', args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
    if (error) throw error
    if (status !== 0) throw new UpdateError('not_installed', stderr.trim().split('\n').slice(-2).join('\n'))
    if (!existsSync(join(next, 'atelier'))) throw new UpdateError('not_installed', `${archive} holds no app.`)
    remove(replaced(app))
    renameSync(app, replaced(app))
    try {
      renameSync(next, app)
    } catch (error) {
      renameSync(replaced(app), app)
      throw error
    }
  } catch (error) {
    remove(next)
    throw error
  }
}

/** What an earlier update left. What cannot be removed stays, and costs space. */
export async function removeReplaced(app: string): Promise<void> {
  await promisify(execFile)('rm', [...REMOVE, replaced(app)]).catch(() => {})
}

/** Electron's own file system takes the archive of an app for a folder, and so cannot remove it. */
const REMOVE = ['--recursive', '--force', '--']

function remove(folder: string): void {
  spawnSync('rm', [...REMOVE, folder], { stdio: 'ignore' })
}

function replaced(app: string): string {
  return `${app}.replaced`
}
