import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { startConfinedThread } from '../../async/confined-thread.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { CliMessage, CliRequest } from './request.ts'

/** What it reads of its own package. */
const PACKAGE = { name: '@devcontainers/cli', version: '0.89.0' }

export interface ReadRequest {
  /** A folder of this call alone, in which it writes; the caller removes it. */
  home: string
  /** Folder of the repository's `.devcontainer`, in `home`. Its name stands for that of the repository. */
  workspace: string
  /** Of the configuration, in the workspace. */
  path: string
  /** Whether its features are fetched too. */
  withFeatures: boolean
  allowedHosts: readonly string[]
  signal: AbortSignal
}

/**
 * Has the command line of dev containers read a configuration, in a thread that can be ended, and that does nothing for a
 * repository beyond reading (`confine.ts`). @returns what it prints @throws AppError bad_request in its words
 */
export async function readConfiguration(request: ReadRequest): Promise<unknown> {
  const { home, workspace, path, withFeatures, allowedHosts, signal } = request
  await mkdir(join(home, 'tmp'), { recursive: true, mode: 0o700 })
  await mkdir(join(home, 'cli'), { recursive: true })
  await writeFile(join(home, 'cli', 'package.json'), JSON.stringify(PACKAGE))
  const args = [
    'read-configuration',
    ...['--workspace-folder', workspace, '--config', join(workspace, ...path.split('/'))],
    ...['--mount-workspace-git-root', 'false', '--docker-path', 'docker', '--log-format', 'json'],
    ...['--oci-auth-hardening', 'true'],
    ...(withFeatures ? ['--include-features-configuration'] : []),
  ]
  const output = await run({ home, args, allowedHosts, maxBytes: BOUNDS.devContainerDownload.limit }, signal)
  const written = (path: string) => JSON.stringify(path).slice(1, -1)
  try {
    // Where that lies on this machine is no part of the configuration, and another place each time.
    return JSON.parse(output.replaceAll(written(workspace), written(`/workspaces/${basename(workspace)}`)))
  } catch (cause) {
    throw unreadable('It is not what a devcontainer.json may hold.', cause)
  }
}

async function run(request: CliRequest, signal: AbortSignal): Promise<string> {
  const late = timeLimit(BOUNDS.devContainerRead.limit)
  const end = AbortSignal.any([signal, late])
  end.throwIfAborted()
  const { default: code } = await import('./thread-main.ts?thread')
  const worker = startConfinedThread(code, { workerData: request, memoryBytes: BOUNDS.devContainerMemory.limit })
  const stop = () => void worker.terminate()
  end.addEventListener('abort', stop, { once: true })
  let output = ''
  let log = ''
  let failure: string | undefined
  worker.on('message', (message: CliMessage) => {
    if (message.kind === 'problem') log = (log + message.text).slice(-BOUNDS.devContainerConfiguration.limit)
    else output += message.text
    if (output.length > BOUNDS.devContainerAnswer.limit) stop()
  })
  worker.on('error', error => {
    failure = error.message
  })
  try {
    const exitCode = await new Promise<number>(resolve => worker.on('exit', resolve))
    signal.throwIfAborted()
    if (late.aborted) throw unreadable('It took longer than 3 minutes. A registry of its features may not answer.')
    if (exitCode === 0 && output !== '') return output
    throw unreadable(failure ?? reasonIn(log))
  } finally {
    end.removeEventListener('abort', stop)
  }
}

/** Its log has a JSON object on each line; what went wrong is the last error. */
function reasonIn(log: string): string {
  const texts = log.split('\n').flatMap(line => {
    try {
      const { text } = JSON.parse(line) as { text?: unknown }
      return typeof text === 'string' ? [text] : []
    } catch {
      return line.trim() ? [line] : []
    }
  })
  const named = texts.findLast(text => /(?:^|\W)(?:\w*Error|ERR\w*)\b|may not name|not find|fail/i.test(text))
  const [first = ''] = (named ?? texts.at(-1) ?? '').trim().split('\n')
  return first.replace(/^\w*Error: /, '').slice(0, 500) || 'It ended without a reason.'
}

function unreadable(reason: string, cause?: unknown): AppError {
  const message = `The dev container cannot be read. ${reason.replace(/[.\s]*$/, '.')}`
  return new AppError('bad_request', `${message} Correct it in the repository, or start without it.`, { cause })
}
