import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Folders } from '../../server/folder/folders.ts'
import { inspectFolder } from '../../server/folder/inspect.ts'
import type { TestFolder } from '../parts/test-folder.ts'

export const { signal } = new AbortController()

export const foldersBeside = (folder: TestFolder) => new Folders({ dataDir: folder.beside('data') })

/** What would be copied. @throws why it cannot be */
export async function inspect(folder: TestFolder) {
  const { content, refusal } = await foldersBeside(folder).open(folder.path, signal, inspectFolder)
  if (refusal) throw refusal
  return content
}

/** Unpacks what is copied as a sandbox does, and says what is in it. */
export async function copied(folder: TestFolder, { includeChanges = true, isStrict = true } = {}) {
  const target = folder.beside(`copy-${Math.random()}`)
  execFileSync('git', ['init', '-q', target])
  const git = (...args: string[]) => execFileSync('git', args, { cwd: target, encoding: 'utf8' })
  const { snapshot } = await foldersBeside(folder).copy(folder.path, { includeChanges, signal }, async copy => {
    const chunks: Buffer[] = []
    for await (const chunk of copy.content) chunks.push(chunk)
    await copy.ended
    if (copy.snapshot.shallow.length > 0) {
      writeFileSync(join(target, '.git', 'shallow'), `${copy.snapshot.shallow.join('\n')}\n`)
    }
    execFileSync('git', ['index-pack', '--stdin', ...(isStrict ? ['--strict'] : [])], {
      cwd: target,
      input: Buffer.concat(chunks),
      stdio: 'pipe',
    })
    return copy
  })
  git('fsck', '--connectivity-only', snapshot.start)
  const files = git('ls-tree', '-r', '-z', '--name-only', snapshot.start).split('\0').filter(Boolean)
  return { snapshot, files, text: (path: string) => git('show', `${snapshot.start}:${path}`) }
}
