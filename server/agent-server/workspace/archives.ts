import { posix } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { writeDelta } from '../../git/delta.ts'
import { pathPattern } from '../../knowledge/path-pattern.ts'
import { entriesOf } from '../../sandbox/files/entries.ts'
import type { Access } from '../access.ts'
import type { GatewaySandboxes } from '../sandboxes.ts'
import { assertFolder } from './files.ts'

interface ArchiveRequest {
  path: string
  format: 'git-delta' | 'tar.gz'
  base_ref?: string | null | undefined
  use_default_excludes: boolean
  exclude?: readonly string[] | undefined
}

/** Bytes as they come; to be read to the end or destroyed. */
export interface Archive {
  name: string
  type: string
  headers: Record<string, string>
  content: Readable
}

/** What can be made again: packages, caches, build output. */
const DEFAULT_EXCLUDES =
  `node_modules .venv venv __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .cache .next .nuxt
  .turbo .gradle target dist build coverage *.pyc .DS_Store`.split(/\s+/)

/** A folder of the caller's sandbox, as a whole or as what has changed in it. */
export class GatewayArchives {
  readonly #sandboxes: GatewaySandboxes

  constructor(sandboxes: GatewaySandboxes) {
    this.#sandboxes = sandboxes
  }

  /** @throws AppError bad_request, file_not_found, not_a_repository */
  async archive(access: Access, asked: ArchiveRequest, signal: AbortSignal): Promise<Archive> {
    const { path, format, use_default_excludes, exclude = [] } = asked
    if (!path.startsWith('/') || path.includes('\0')) throw new AppError('bad_request', 'Path must be absolute')
    const sandbox = await this.#sandboxes.open(access, signal)
    await assertFolder(sandbox, path)
    if (!(await sandbox.stat(path))) {
      throw new AppError('file_not_found', 'There is no such folder in the sandbox. Check the path.')
    }
    const given = [...(use_default_excludes ? DEFAULT_EXCLUDES : []), ...exclude]
    const excluded = given.map(pattern => pattern.trim().replace(/\/+$/, '')).filter(pattern => pattern !== '')
    return format === 'tar.gz'
      ? tarOf(sandbox, path, excluded)
      : deltaOf(sandbox, path, { base: asked.base_ref || null, excluded, signal })
  }
}

async function deltaOf(
  sandbox: SandboxHandle,
  path: string,
  options: Parameters<typeof writeDelta>[2],
): Promise<Archive> {
  const { folder, patch, base } = await writeDelta(sandbox, path, options)
  const remove = () => sandbox.exec({ argv: ['rm', '-rf', '--', folder] }).catch(() => {})
  try {
    const { content } = await sandbox.sendFile(patch)
    content.once('close', remove)
    const headers = { 'X-Archive-Format': 'git-delta', 'X-Archive-Base-Ref': base }
    return { name: `${nameOf(path)}.patch`, type: 'text/x-patch', headers, content }
  } catch (error) {
    await remove()
    throw error
  }
}

async function tarOf(sandbox: SandboxHandle, path: string, excluded: readonly string[]): Promise<Archive> {
  const whole = await sandbox.readArchive(path)
  const content = new PassThrough()
  const packed = pack()
  packed.on('error', NOBODY)
  repack(whole, packed, excluded).catch(error => packed.destroy(error))
  // A reader that goes away ends all that stands before it.
  pipeline(packed, createGzip(), content).catch(() => whole.destroy())
  const headers = { 'X-Archive-Format': 'tar.gz' }
  return { name: `${nameOf(path)}.tar.gz`, type: 'application/gzip', headers, content }
}

/** For errors that a pipeline or a callback reports: without a listener they would end the service. */
const NOBODY = () => {}

/** The engine puts the folder's own name before every path; what is unpacked should lie where one is. */
async function repack(whole: Readable, packed: ReturnType<typeof pack>, excluded: readonly string[]): Promise<void> {
  const entries = entriesOf(whole)
  const isExcluded = exclusion(excluded)
  for await (const entry of entries) {
    const name = inside(entry.header.name)
    if (name === '' || isExcluded(name)) {
      entry.resume()
      continue
    }
    await new Promise<void>((resolve, reject) => {
      packed.once('error', reject)
      const place = packed.entry(renamed(entry.header, name), error => {
        packed.off('error', reject)
        return error ? reject(error) : resolve()
      })
      place.on('error', NOBODY)
      entry.on('error', reject)
      entry.pipe(place)
    })
  }
  packed.finalize()
}

function renamed(header: Header, name: string): Header {
  const { pax: _pax, ...rest } = header
  if (header.type !== 'link' || !header.linkname) return { ...rest, name }
  return { ...rest, name, linkname: inside(header.linkname) }
}

function inside(name: string): string {
  return name.split('/').slice(1).join('/')
}

/** Whether a path, or a folder that it is in, matches. Folders are remembered, since an archive names them again and again. */
function exclusion(excluded: readonly string[]): (name: string) => boolean {
  const patterns = excluded.map(pathPattern)
  const known = new Map<string, boolean>()
  return name => {
    const parts = name.split('/').filter(part => part !== '')
    let path = ''
    for (const part of parts) {
      path = path === '' ? part : `${path}/${part}`
      const present = path
      const matches = known.get(path) ?? patterns.some(pattern => pattern(present))
      if (known.size >= MAX_REMEMBERED) known.clear()
      known.set(path, matches)
      if (matches) return true
    }
    return false
  }
}

const MAX_REMEMBERED = 10_000

function nameOf(path: string): string {
  return posix.basename(posix.normalize(path)).replace(/[^\w.-]/g, '_') || 'sandbox'
}
