import type { Readable } from 'node:stream'
import type { PathStat } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'
import { type CommandPlace, runCommand } from '../command/command.ts'
import { startProcess } from '../command/process.ts'

/**
 * File systems that the engine mounts in every container while it runs. Its archive endpoints look beneath them, at what the
 * image has there, so that a file in them is seen by a process in the sandbox alone.
 */
const MOUNTS = /^\/(dev|proc|sys)(\/|$)/
/** Some files below /proc never answer. */
const TIMEOUT_MS = 10_000

export function isMounted(path: string): boolean {
  return MOUNTS.test(path)
}

interface MountedPath extends CommandPlace {
  /** absolute */
  path: string
}

/**
 * $1 path. Prints kind, size, mode, seconds and the path itself, all links followed; the last field may hold line ends. Links
 * below /proc lead elsewhere for each process that follows them, and are left as they are.
 */
const STAT_SCRIPT = `
[ -e "$1" ] || exit 3
if [ -d "$1" ]; then kind=directory; elif [ -f "$1" ]; then kind=file; else kind=other; fi
about=$(stat -Lc '%s %a %Y' -- "$1" 2>/dev/null) || {
  set -- "$1" $(ls -ldnL -- "$1")
  about="$6 644 0"
}
case $1 in
  /proc/*) real=$1 ;;
  *) real=$(readlink -f -- "$1" 2>/dev/null) || real=$1 ;;
esac
printf '%s %s %s' "$kind" "$about" "$real"`

/** Through links; undefined when there is nothing, or when no process can look. */
export async function statMounted(place: MountedPath): Promise<{ path: string; stat: PathStat } | undefined> {
  const argv = ['/bin/sh', '-c', STAT_SCRIPT, 'sh', place.path]
  const result = await runCommand(place, { argv, cwd: '/', timeoutMs: TIMEOUT_MS })
  const fields = /^(file|directory|other) (\d+) (\d+) (\d+) (\/[\s\S]*)$/.exec(result.stdout)
  if (result.exitCode !== 0 || !fields) return undefined
  const [, kind, size, mode = '', seconds, path = place.path] = fields
  const stat: PathStat = {
    kind: kind === 'file' || kind === 'directory' ? kind : 'other',
    sizeBytes: Number(size),
    mode: Number.parseInt(mode, 8),
    modifiedAt: new Date(Number(seconds) * 1000).toISOString(),
    target: undefined,
  }
  return { path, stat }
}

/** @throws AppError bad_request for what gives nothing; `tooLarge` once it is longer than `maxBytes`, whatever size it was said to have */
export async function readMounted(place: MountedPath, maxBytes: number, tooLarge: () => AppError): Promise<Buffer> {
  const { stream, stop } = await startProcess(place, {
    argv: ['/bin/sh', '-c', 'exec cat -- "$1"', 'sh', place.path],
    cwd: '/',
    env: {},
    stdin: false,
  })
  let late = false
  const timer = setTimeout(() => {
    late = true
    void stop('TERM')
  }, TIMEOUT_MS)
  try {
    const [content, problem] = await Promise.all([
      collect(stream.stdout, maxBytes + 1),
      collect(stream.stderr, MAX_PROBLEM),
    ])
    if (content.length > maxBytes) {
      await stop('TERM')
      throw tooLarge()
    }
    if (late) throw failed(place.path, `it gave nothing more for ${TIMEOUT_MS / 1000} s`)
    if ((await stream.exitCode) !== 0) throw failed(place.path, problem.toString().trim() || 'reading it was cut off')
    return content
  } finally {
    clearTimeout(timer)
    stream.close()
  }
}

const MAX_PROBLEM = 1_000

function failed(path: string, why: string): AppError {
  return new AppError('bad_request', `${path} could not be read: ${why}. Read it with a command.`)
}

/** What comes, up to so many bytes: then it reads no further. */
async function collect(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}
