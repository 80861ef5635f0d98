import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CommandError, EXIT } from '../exit-codes.ts'
import { plainText } from '../output/plain-text.ts'
import { withGit } from './git.ts'

export interface PatchFile {
  path: string
  /** null for a binary file. */
  added: number | null
  removed: number | null
}

/**
 * Applies a patch to a folder of a git repository, all of it or nothing. Nothing of the folder is executed.
 * @param patch path of the file
 * @returns the files that it changes
 * @throws CommandError conflict with what does not fit, usage for a folder without a repository
 */
export async function applyPatch(folder: string, patch: string, { check }: { check: boolean }): Promise<PatchFile[]> {
  if (!isInRepository(resolve(folder))) {
    throw new CommandError(
      EXIT.usage,
      `${folder} is in no git repository. Changes are only applied where git can undo them.`,
    )
  }
  return withGit(folder, async git => {
    const apply = ['apply', '--whitespace=nowarn']
    const listed = await git.run([...apply, '--numstat', '-z', patch])
    const checked = await git.run([...apply, '--check', patch])
    if (listed.exitCode !== 0 || checked.exitCode !== 0) {
      const reason = plainText(checked.stderr || listed.stderr).trim()
      throw new CommandError(EXIT.conflict, `The changes do not fit ${folder}; nothing was changed.\n${reason}`)
    }
    const files = parseNumstat(listed.stdout)
    if (check) return files
    const applied = await git.run([...apply, patch])
    if (applied.exitCode === 0) return files
    throw new CommandError(EXIT.failed, `Git could not apply the changes: ${plainText(applied.stderr).trim()}`)
  })
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  return dirname(folder) !== folder && isInRepository(dirname(folder))
}

function parseNumstat(output: string): PatchFile[] {
  return output
    .split('\0')
    .filter(line => line !== '')
    .map(line => {
      const [added, removed, ...path] = line.split('\t')
      return { path: path.join('\t'), added: count(added), removed: count(removed) }
    })
}

function count(text: string | undefined): number | null {
  return text === '-' || text === undefined ? null : Number(text)
}
