import { createReadStream } from 'node:fs'
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { AppError } from '../domain/errors.ts'
import { isBranchRef } from '../git/names.ts'
import type { FolderRepository } from './repository.ts'

const HEADS = 'refs/heads/'

/** `name`, or with the first number behind it that makes it free; without slashes where a branch has the name before one. */
export function freeBranch({ refs }: FolderRepository, asked: string): string {
  const isInside = [...refs.keys()].some(ref => `${HEADS}${asked}`.startsWith(`${ref}/`))
  const name = isInside ? asked.replaceAll('/', '-') : asked
  for (let count = 1; ; count++) {
    const numbered = count === 1 ? name : `${name}-${count}`
    if (![...refs.keys()].some(ref => standInTheWay(ref, HEADS + numbered))) return numbered
  }
}

/**
 * Makes a branch as git does, by a file beside which none of the same name may be written: git itself would run the
 * repository's hooks. @throws AppError bad_request for a name that git refuses, conflict for one that is taken
 */
export async function createBranch({ common, refs }: FolderRepository, name: string, commit: string): Promise<void> {
  const ref = HEADS + name
  if (!isBranchRef(ref) || name === 'HEAD') {
    throw new AppError('bad_request', `Git takes no branch name ${JSON.stringify(name)}. Use letters, digits, - and /.`)
  }
  const taken = [...refs.keys()].find(each => standInTheWay(each, ref)) ?? (await findPacked(common, ref))
  if (taken !== undefined) throw isTaken(taken.slice(HEADS.length))
  const file = join(common, ref)
  await inside(common, dirname(ref))
  await mkdir(dirname(file), { recursive: true })
  await locked(file, async lock => {
    if (await lstat(file).catch(() => undefined)) throw isTaken(name)
    await lock.write(`${commit}\n`)
    await lock.keep()
  })
}

/** @throws AppError conflict when it is checked out or has other commits now, bad_request when git has packed it */
export async function removeBranch(
  { gitDir, common }: Pick<FolderRepository, 'gitDir' | 'common'>,
  name: string,
  commit: string,
): Promise<void> {
  const ref = HEADS + name
  const file = join(common, ref)
  const beside = (await readdir(join(common, 'worktrees')).catch(() => [])).map(each => join(common, 'worktrees', each))
  for (const place of [gitDir, common, ...beside]) {
    const isFile = (await lstat(join(place, 'HEAD')).catch(() => undefined))?.isFile()
    const head = isFile ? await readFile(join(place, 'HEAD'), 'utf8').catch(() => '') : ''
    if (head.trim() !== `ref: ${ref}`) continue
    throw new AppError('conflict', `The branch ${name} is checked out. Switch to another one, then try again.`)
  }
  await inside(common, dirname(ref))
  await mkdir(dirname(file), { recursive: true })
  await locked(file, async () => {
    const found = await lstat(file).catch(() => undefined)
    const now = found?.isFile() ? (await readFile(file, 'utf8')).trim() : undefined
    if (now === undefined && (await findPacked(common, ref)) === undefined) return
    if (now === undefined)
      throw new AppError('bad_request', `Git has packed the branch. Remove it with git branch -D ${name}.`)
    if (now !== commit) {
      throw new AppError('conflict', `The branch ${name} has other commits now. Remove it with git branch -D ${name}.`)
    }
    await rm(file)
  })
  for (let folder = dirname(ref); folder !== 'refs/heads'; folder = dirname(folder)) {
    if (
      !(await rmdir(join(common, folder)).then(
        () => true,
        () => false,
      ))
    )
      return
  }
}

/** Git keeps no branch `a` beside a branch `a/b`. */
function standInTheWay(ref: string, wanted: string): boolean {
  return ref === wanted || ref.startsWith(`${wanted}/`) || wanted.startsWith(`${ref}/`)
}

/** However many there are. */
async function findPacked(common: string, wanted: string): Promise<string | undefined> {
  const file = join(common, 'packed-refs')
  if (!(await lstat(file).catch(() => undefined))?.isFile()) return undefined
  const lines = createInterface({ input: createReadStream(file) })
  try {
    for await (const line of lines) {
      const ref = line.slice(41)
      if (ref.startsWith(HEADS) && standInTheWay(ref, wanted)) return ref
    }
    return undefined
  } finally {
    lines.close()
  }
}

/** Of real folders alone: a link would lead out of the repository. */
async function inside(common: string, folder: string): Promise<void> {
  const parts = folder.split('/')
  for (let count = 1; count <= parts.length; count++) {
    const found = await lstat(join(common, ...parts.slice(0, count))).catch(() => undefined)
    if (found && !found.isDirectory()) {
      throw new AppError('bad_request', `The repository's .git/${parts.slice(0, count).join('/')} is no folder.`)
    }
  }
}

interface Lock {
  write(text: string): Promise<void>
  /** It becomes the file. */
  keep(): Promise<void>
}

/** https://git-scm.com/docs/api-lockfile: whoever makes `FILE.lock` may change FILE. */
async function locked(file: string, work: (lock: Lock) => Promise<void>): Promise<void> {
  const path = `${file}.lock`
  const handle = await open(path, 'wx').catch(error => {
    if (error.code !== 'EEXIST') throw error
    throw new AppError('conflict', `Git is at work on this branch. If it is not, remove ${path}, then try again.`)
  })
  let isKept = false
  try {
    await work({
      write: text => handle.writeFile(text),
      keep: async () => {
        await handle.sync()
        await rename(path, file)
        isKept = true
      },
    })
  } finally {
    await handle.close()
    if (!isKept) await rm(path, { force: true })
  }
}

function isTaken(name: string): AppError {
  return new AppError(
    'conflict',
    `The repository has a branch ${name} already, which is in the way. Choose another name.`,
  )
}
