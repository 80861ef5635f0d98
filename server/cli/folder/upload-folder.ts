import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { lstat, mkdtemp, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack } from 'tar-stream'
import type { Conversation } from '../../client/conversation.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { CommandError, EXIT } from '../exit-codes.ts'
import type { FolderFiles } from './list-folder.ts'

/**
 * Unpacks, and where there is git commits what was copied as the state that changes are compared with: the branch of a
 * remote that nobody fetches from.
 */
const UNPACK = `tar -xof "$0" && rm -f "$0" || exit
command -v git >/dev/null 2>&1 || exit 0
git add -Af . && git commit -q --no-verify --allow-empty -m "Files of $1" || exit
branch=$(git symbolic-ref -q --short HEAD) || exit 0
git update-ref "refs/remotes/origin/$branch" HEAD
git symbolic-ref refs/remotes/origin/HEAD "refs/remotes/origin/$branch"`

/** Copies the files into the working directory of a new conversation. @throws CommandError failed */
export async function uploadFolder(conversation: Conversation, files: FolderFiles, signal: AbortSignal): Promise<void> {
  const local = await mkdtemp(join(tmpdir(), 'atelier-upload-'))
  try {
    const archive = join(local, 'files.tar')
    await Promise.all([fillArchive(files, archive, signal)])
    const sandbox = await conversation.sandbox(signal)
    const remote = `/tmp/atelier-upload-${randomUUID()}.tar`
    await sandbox.writeFile(remote, await openAsBlob(archive), { signal })
    const cwd = await conversation.workingDirectory(signal)
    const command = `sh -c ${shellQuote(UNPACK)} ${remote} ${shellQuote(basename(files.folder))}`
    const { exitCode, stderr } = await sandbox.run(command, { cwd, signal })
    if (exitCode !== 0) throw new CommandError(EXIT.failed, `The files could not be unpacked in the sandbox: ${stderr}`)
  } finally {
    await rm(local, { recursive: true, force: true })
  }
}

async function fillArchive({ folder, paths }: FolderFiles, target: string, signal: AbortSignal): Promise<void> {
  const archive = pack()
  const written = pipeline(archive, createWriteStream(target, { mode: 0o600 }), { signal })
  try {
    for (const path of paths) await addFile(archive, folder, path)
    archive.finalize()
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  await written
}

/** Links stay links: what they lead to is not copied. */
async function addFile(archive: Pack, folder: string, path: string): Promise<void> {
  const file = join(folder, path)
  const found = await lstat(file)
  const header = { name: path, mode: found.mode & 0o777, mtime: found.mtime }
  if (found.isSymbolicLink()) {
    archive.entry({ ...header, type: 'symlink', linkname: await readlink(file) })
    return
  }
  if (found.size === 0) {
    archive.entry(header, '')
    return
  }
  // A file that grows meanwhile is copied as far as it was.
  await pipeline(createReadStream(file, { end: found.size - 1 }), archive.entry({ ...header, size: found.size }))
}
