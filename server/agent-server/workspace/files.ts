import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Access } from '../access.ts'
import type { GatewaySandboxes } from '../sandboxes.ts'

/** Files of the caller's sandbox. Paths are absolute. */
export class GatewayFiles {
  readonly #sandboxes: GatewaySandboxes

  constructor(sandboxes: GatewaySandboxes) {
    this.#sandboxes = sandboxes
  }

  async upload(access: Access, path: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
    const sandbox = await this.#open(access, path, signal)
    await sandbox.receiveFile(path, content, signal)
  }

  async download(access: Access, path: string, signal: AbortSignal): Promise<{ sizeBytes: number; content: Readable }> {
    const sandbox = await this.#open(access, path, signal)
    return sandbox.sendFile(path)
  }

  async createDirectory(access: Access, path: string, signal: AbortSignal): Promise<void> {
    const sandbox = await this.#open(access, path, signal)
    const { exitCode, stderr } = await sandbox.exec({ argv: ['mkdir', '-p', '--', path], cwd: '/', signal })
    if (exitCode === 0) return
    await assertFolder(sandbox, path)
    throw new AppError('bad_request', `The folder could not be made: ${stderr.trim()}`)
  }

  async home(access: Access, signal: AbortSignal) {
    const sandbox = await this.#sandboxes.open(access, signal)
    const { stdout } = await sandbox.exec({ argv: ['/bin/sh', '-c', 'printf %s "$HOME"'], cwd: '/', signal })
    const home = stdout || '/'
    const favorites = [
      { label: 'Workspace', path: sandbox.workingDir },
      { label: 'Home', path: home },
    ]
    return { home, favorites, locations: [{ label: 'Sandbox', path: '/' }] }
  }

  /** @throws AppError file_not_found, bad_request for a file */
  async subdirectories(
    access: Access,
    query: { path: string; page_id?: string | null | undefined; limit: number; include_hidden: boolean },
    signal: AbortSignal,
  ) {
    const sandbox = await this.#open(access, query.path, signal)
    await assertFolder(sandbox, query.path)
    const { stdout } = await sandbox.exec({ argv: ['/bin/sh', '-c', LIST], cwd: query.path, signal })
    const names = stdout
      .split('\0')
      .filter(name => name !== '' && (query.include_hidden || !name.startsWith('.')))
      .sort()
    const first = Math.max(0, names.indexOf(query.page_id ?? ''))
    const items = names.slice(first, first + query.limit)
    return {
      items: items.map(name => ({ name, path: posix.join(query.path, name) })),
      next_page_id: names[first + query.limit] ?? null,
    }
  }

  async #open(access: Access, path: string, signal: AbortSignal): Promise<SandboxHandle> {
    if (!path.startsWith('/') || path.includes('\0')) throw new AppError('bad_request', 'Path must be absolute')
    return this.#sandboxes.open(access, signal)
  }
}

/** What is not there is for the caller to tell. @throws AppError bad_request for what is no folder */
export async function assertFolder(sandbox: SandboxHandle, path: string): Promise<void> {
  const there = await sandbox.stat(path)
  if (!there || there.kind === 'directory') return
  throw new AppError('bad_request', `${path} is not a directory. Name a folder.`)
}

const LIST = `for name in .* *; do
  case $name in .|..) continue;; esac
  [ -d "$name" ] && printf '%s\\0' "$name"
done
exit 0`
