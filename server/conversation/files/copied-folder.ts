import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { FolderCopy, Folders } from '../../folder/folders.ts'
import { folderNameIn } from '../../folder/names.ts'
import type { Snapshot } from '../../folder/snapshot.ts'
import type { StartStepContext } from '../start/work.ts'

interface Copied {
  path: string
  includeChanges: boolean
  /** Names the branch that is made for it, and can be applied to the folder later. */
  conversation: string
}

/**
 * $1 folder, $2 what was sent, $3 branch, $4 its commit, $5 the commit with what is not committed, $6 the branch of the
 * folder. What is not committed is staged. Changes are compared with what was copied.
 */
const UNPACK = `
command -v git >/dev/null 2>&1 || exit 127
if [ -e "$1" ] && [ -n "$(ls -A -- "$1")" ]; then exit 17; fi
git init -q -- "$1" && cd -- "$1" || exit
if [ -f "$2/shallow" ]; then cp -- "$2/shallow" .git/shallow || exit; fi
git index-pack --stdin <"$2/pack" >/dev/null || exit
cp -- "$2/packed-refs" .git/packed-refs && git symbolic-ref HEAD "refs/heads/$3" && git update-ref "refs/heads/$3" "$4" || exit
if [ -n "$6" ]; then git symbolic-ref refs/remotes/origin/HEAD "refs/remotes/origin/$6"
else git update-ref "refs/remotes/origin/$3" "$4"
fi || exit
git read-tree -u --reset "$5"`

const NO_GIT = 127
const TAKEN = 17
const MAX_RETOLD_BYTES = 2 ** 20

/** Copies a folder of this computer into the sandbox. @returns where it lies there @throws AppError in words */
export async function copyFolder(
  sandbox: SandboxHandle,
  folders: Folders,
  { path, includeChanges, conversation }: Copied,
  { signal, report }: StartStepContext,
): Promise<string> {
  const branch = `atelier/${conversation.slice(0, 8)}`
  const target = `${sandbox.workingDir}/${folderNameIn(path)}`
  const sent = `/tmp/atelier-folder-${randomToken(8)}`
  report({ detail: `Reading ${path}.` })
  try {
    await folders.copy(path, { includeChanges, signal }, async copy => {
      await send(sandbox, sent, copy, { signal, report })
      report({ detail: 'Unpacking the files in the sandbox.' })
      await unpack(sandbox, { target, sent, branch, snapshot: copy.snapshot, signal })
      await copy.remember(conversation)
      report({ detail: endOf(path, copy.snapshot) })
    })
    return target
  } finally {
    await sandbox.exec({ argv: ['rm', '-rf', '--', sent] }).catch(() => {})
  }
}

async function send(
  sandbox: SandboxHandle,
  place: string,
  { snapshot, content, ended }: FolderCopy,
  { signal, report }: Pick<StartStepContext, 'signal' | 'report'>,
): Promise<void> {
  await sandbox.writeFiles(place, [
    { path: 'packed-refs', content: Buffer.from(packedRefs(snapshot)) },
    ...(snapshot.shallow.length > 0
      ? [{ path: 'shallow', content: Buffer.from(`${snapshot.shallow.join('\n')}\n`) }]
      : []),
  ])
  const counted = async function* () {
    let bytes = 0
    let reported = 0
    for await (const chunk of content) {
      bytes += chunk.length
      if (bytes - reported >= MAX_RETOLD_BYTES) {
        reported = bytes
        report({ detail: `Copying the files: ${Math.round(bytes / 2 ** 20)} MiB.` })
      }
      yield chunk
    }
    await ended
  }
  await sandbox.receiveFile(`${place}/pack`, counted(), signal)
}

/** Branches are those of a remote, as after a clone; tags stay tags. */
function packedRefs({ refs, start }: Snapshot): string {
  const lines = [...refs].map(([name, object]) => [name.replace(/^refs\/heads\//, 'refs/remotes/origin/'), object])
  lines.push(['refs/atelier/start', start])
  const sorted = lines.toSorted(([a = ''], [b = '']) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return `# pack-refs with: sorted\n${sorted.map(([name, object]) => `${object} ${name}\n`).join('')}`
}

async function unpack(
  sandbox: SandboxHandle,
  given: { target: string; sent: string; branch: string; snapshot: Snapshot; signal: AbortSignal },
): Promise<void> {
  const { target, sent, branch, snapshot, signal } = given
  const own = snapshot.branch && snapshot.refs.has(`refs/heads/${snapshot.branch}`) ? snapshot.branch : ''
  const args = [target, sent, branch, snapshot.head, snapshot.start, own]
  const { exitCode, stderr, timedOut } = await sandbox.exec({
    argv: ['/bin/sh', '-c', UNPACK, 'sh', ...args],
    timeoutMs: 15 * 60_000,
    signal,
  })
  if (exitCode === 0) return
  if (exitCode === NO_GIT || exitCode === 126) {
    throw failed("This sandbox's image has no git, which copying a folder needs. Choose an image with git.")
  }
  if (exitCode === TAKEN) {
    throw failed(`The sandbox has a folder ${target} already. Start in a new sandbox.`)
  }
  const reason = timedOut
    ? 'it took longer than 15 minutes'
    : stderr.trim().split('\n').slice(-3).join(' ').slice(0, 500)
  throw failed(`The folder could not be unpacked in the sandbox: ${reason}.`)
}

function endOf(path: string, { leftOut }: Snapshot): string {
  if (leftOut.length === 0) return `${path} is copied.`
  const some = leftOut.slice(0, 3).map(name => JSON.stringify(name))
  const more = leftOut.length > some.length ? ` and ${leftOut.length - some.length} more` : ''
  return `${path} is copied without ${some.join(', ')}${more}, since they are repositories of their own or have names that are no UTF-8.`
}

function failed(message: string): AppError {
  return new AppError('clone_failed', message)
}
