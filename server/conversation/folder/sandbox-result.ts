import { MIB } from '../../domain/bounds/bound.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { ClaimedBlob } from '../../folder/objects.ts'
import { isObjectName } from '../../git/names.ts'

/** A file that the sandbox says it has changed. Nothing of it was checked but its form. */
export interface ClaimedChange {
  path: string
  /** As git's trees have it; null for a file that is gone. */
  mode: string | null
  object: string
}

/** $1 the commit that was copied, $2 a folder for what is found. The index of the repository stays as it is, and its copy as old: git tells by its time which files may have changed unseen. */
const COMPARE = `
mkdir -m 700 -- "$2" || exit
index=$(git rev-parse --git-path index) && cp -p -- "$index" "$2/index" || exit
export GIT_INDEX_FILE="$2/index"
git add -A . 2>/dev/null && tree=$(git write-tree) || exit
git diff-tree -r --raw -z --no-renames --no-abbrev "$1" "$tree" >"$2/changes"`

const SIZES_BYTES = 2 * MIB

/** The files of the repository in the working directory that differ from `start`. @throws AppError bad_request */
export async function claimedChanges(
  sandbox: SandboxHandle,
  { start, place, signal }: { start: string; place: string; signal: AbortSignal },
): Promise<ClaimedChange[]> {
  const argv = ['/bin/sh', '-c', COMPARE, 'sh', start, place]
  const { exitCode, stderr } = await sandbox.exec({ argv, cwd: sandbox.workingDir, signal })
  if (exitCode !== 0) {
    const reason = stderr.trim().split('\n').at(-1)?.slice(0, 300) || 'git failed'
    throw unreadable(reason)
  }
  const { sizeBytes, content } = await sandbox.sendFile(`${place}/changes`)
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of content) {
    length += (piece as Buffer).length
    if (Math.max(length, sizeBytes) > BOUNDS.folderChangeList.limit) throw tooMany()
    pieces.push(piece as Buffer)
  }
  return parseChanges(Buffer.concat(pieces).toString())
}

function parseChanges(output: string): ClaimedChange[] {
  const fields = output.split('\0')
  const changes: ClaimedChange[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode, object] = /^:\d{6} (\d{6}) \w+ (\w+) \w$/.exec(fields[at] ?? '') ?? []
    if (!mode || !object || !isObjectName(object)) throw unreadable('the list of changes is damaged')
    changes.push({ path: fields[at + 1] ?? '', mode: mode === '000000' ? null : mode, object })
    if (changes.length > BOUNDS.folderChanges.limit) throw tooMany()
  }
  return changes
}

/** Sizes of objects as the sandbox gives them; what it does not have as a file is missing. */
export async function claimedSizes(
  sandbox: SandboxHandle,
  objects: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const { stdout } = await sandbox.exec({
    argv: ['git', 'cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'],
    cwd: sandbox.workingDir,
    stdin: objects.map(object => `${object}\n`).join(''),
    maxBytes: SIZES_BYTES,
    signal,
  })
  const lines = stdout.split('\n').map(line => line.split(' '))
  return new Map(lines.flatMap(([name = '', type, size]) => (type === 'blob' ? [[name, Number(size)]] : [])))
}

/**
 * Each object in its order, never more bytes of it than `size` says; one is read to its end before the next.
 * @param place a folder in the sandbox
 * @throws AppError bad_request when what comes is not what was asked for
 */
export async function* receiveObjects(
  sandbox: SandboxHandle,
  objects: readonly { object: string; size: number }[],
  { place, signal }: { place: string; signal: AbortSignal },
): AsyncGenerator<ClaimedBlob> {
  const { exitCode } = await sandbox.exec({
    argv: ['/bin/sh', '-c', 'git cat-file --batch >"$0/contents"', place],
    cwd: sandbox.workingDir,
    stdin: objects.map(({ object }) => `${object}\n`).join(''),
    signal,
  })
  if (exitCode !== 0) throw unreadable('git failed')
  const { content } = await sandbox.sendFile(`${place}/contents`)
  const reader = new PieceReader(content as AsyncIterable<Buffer>)
  try {
    for (const { object, size } of objects) {
      signal.throwIfAborted()
      const header = `${object} blob ${size}\n`
      if ((await reader.text(header.length)) !== header) throw unreadable('its files changed meanwhile')
      yield { object, size, pieces: reader.take(size) }
      if ((await reader.text(1)) !== '\n') throw unreadable('its files changed meanwhile')
    }
  } finally {
    content.destroy()
  }
}

class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(content: AsyncIterable<Buffer>) {
    this.#pieces = content[Symbol.asyncIterator]()
  }

  async *take(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      while (this.#rest.length === 0) {
        const { done, value } = await this.#pieces.next()
        if (done) throw unreadable('it ended early')
        this.#rest = value
      }
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async bytes(count: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.take(count)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async text(bytes: number): Promise<string> {
    return (await this.bytes(bytes)).toString('latin1')
  }
}

function unreadable(reason: string): AppError {
  return new AppError('bad_request', `The changes could not be read from the sandbox: ${reason}. Try again.`)
}

function tooMany(): AppError {
  return new AppError(
    'bad_request',
    `The conversation changed more than ${BOUNDS.folderChanges.limit.toLocaleString('en-US')} files, too many to apply at once. Have the agent ignore what is generated with .gitignore, then try again.`,
  )
}
