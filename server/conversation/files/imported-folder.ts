import { posix } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { ImportedFolders } from '../../folder/imported.ts'

const MAX_SAID = 1000

/** Only what is in the folder of this name: a file of another computer is a stranger's. */
const UNPACK = `mkdir -p -- "$2" && cd -- "$2" && tar -xof "$1" -- "$3" && cd -- "$3"`

const CLEAR = 'rm -rf -- "$1"; mkdir -p -- "$1"'

interface Imported {
  conversation: ConversationId
  /** Where it was in its sandbox. */
  path: string
}

/**
 * Unpacks the working folder of a conversation that came from another computer.
 * @returns where it is now: at its old place below the folder of sandboxes, else in that @throws AppError command_failed
 */
export async function unpackImportedFolder(
  sandbox: SandboxHandle,
  folders: Pick<ImportedFolders, 'open'>,
  { conversation, path, signal }: Imported & { signal: AbortSignal },
): Promise<string> {
  const folder = placeFor(path, sandbox.workingDir)
  const packed = `/tmp/atelier-${conversation}.tar`
  const content = folders.open(conversation)
  // It may fail before it is read; its reader gets the error all the same.
  content.on('error', () => {})
  try {
    await sandbox.receiveFile(packed, content, signal)
    const argv = ['/bin/sh', '-c', UNPACK, 'sh', packed, posix.dirname(folder), posix.basename(folder)]
    const { exitCode, stderr } = await sandbox.exec({ argv, cwd: '/', signal, limitMs: UNPACK_LIMIT_MS })
    if (exitCode === 0) return folder
    // What came of it is nothing to go on with.
    await sandbox.exec({ argv: ['/bin/sh', '-c', CLEAR, 'sh', folder], cwd: '/' }).catch(() => {})
    const said = stderr.trim().slice(-MAX_SAID)
    throw new AppError(
      'command_failed',
      `The working folder of the other computer could not be unpacked, so the conversation goes on without it. ${said}`,
    )
  } finally {
    content.destroy()
    // Also one that was given up.
    await sandbox.exec({ argv: ['rm', '-f', '--', packed], cwd: '/' }).catch(() => {})
  }
}

/** Gigabytes of small files. */
const UNPACK_LIMIT_MS = 15 * 60_000

/** Its name stays, since that is the one in the tar. */
function placeFor(path: string, workingDir: string): string {
  const wanted = posix.normalize(path).replace(/(?<=.)\/$/, '')
  const root = posix.dirname(workingDir)
  if (root !== '/' && wanted.startsWith(`${root}/`)) return wanted
  return posix.join(workingDir, posix.basename(wanted) || 'project')
}
