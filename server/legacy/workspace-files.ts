import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { textIn } from '../conversation/files/file-text.ts'
import { folderEntries } from '../conversation/files/zip/folder-entries.ts'
import { zipStream } from '../conversation/files/zip/zip.ts'
import type { ConversationService } from '../conversation/service.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { diffFile, type FileChange, listChanges } from '../git/changes.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Mask } from '../secret/mask/mask.ts'
import { maskedValue } from '../secret/mask/value.ts'
import { type Microagent, toMicroagents } from './microagents.ts'
import type { LegacyConversations } from './service.ts'

interface Dependencies {
  conversations: ConversationService
  legacy: LegacyConversations
  sandboxes: SandboxService
  knowledge: Pick<Knowledge, 'read'>
  mask: Pick<Mask, 'mask'>
}

export interface UploadReport {
  uploaded_files: string[]
  skipped_files: { name: string; reason: string }[]
}

/** A file as it is uploaded. */
export interface Upload {
  name: string
  content: AsyncIterable<Buffer>
}

/** What a person sees of the files in a conversation's sandbox. Relative paths begin in its workspace. */
export class WorkspaceFiles {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Directories first, each with a slash; nothing where there is no folder. */
  async list(id: string, path: string | null | undefined, signal: AbortSignal): Promise<string[]> {
    const sandbox = await this.#open(id)
    const folder = posix.resolve(sandbox.workingDir, path ?? '.')
    const result = await sandbox.exec({ argv: ['/bin/sh', '-c', LIST, 'sh', folder], cwd: '/', signal })
    const names = result.stdout.split('\0').filter(name => name !== '' && !HIDDEN.has(name))
    const ignored = await ignoredNames(sandbox, folder, names, signal)
    const prefix = path ? `${path.replace(/\/+$/, '')}/` : ''
    return names
      .filter(name => !ignored.has(name))
      .sort(byKindAndName)
      .map(name => prefix + name)
  }

  /** @throws AppError file_not_found, file_too_large, file_not_text */
  async read(id: string, file: string): Promise<string> {
    const sandbox = await this.#open(id)
    return textIn(await sandbox.readFile(posix.resolve(sandbox.workingDir, file)), file)
  }

  /** The whole workspace, as it is read. */
  async zip(id: string): Promise<Readable> {
    const sandbox = await this.#open(id)
    return zipStream(folderEntries(await sandbox.readArchive(sandbox.workingDir)))
  }

  /** One file after the other; a name with a folder in it, or of a folder, is skipped. */
  async upload(id: string, files: AsyncIterable<Upload>, signal: AbortSignal): Promise<UploadReport> {
    const sandbox = await this.#open(id)
    const report: UploadReport = { uploaded_files: [], skipped_files: [] }
    for await (const { name, content } of files) {
      const path = posix.join(sandbox.workingDir, name)
      const reason = nameProblem(name) ?? (await targetProblem(sandbox, path))
      if (reason) {
        for await (const _ of content);
        report.skipped_files.push({ name, reason })
        continue
      }
      await sandbox.receiveFile(path, content, signal)
      report.uploaded_files.push(path)
    }
    return report
  }

  async changes(id: string, signal: AbortSignal): Promise<FileChange[]> {
    const sandbox = await this.#open(id)
    return this.#masked(await listChanges(sandbox, sandbox.workingDir, signal))
  }

  async diff(id: string, path: string, signal: AbortSignal): Promise<{ original: string; modified: string }> {
    const sandbox = await this.#open(id)
    const { original, modified } = await diffFile(sandbox, sandbox.workingDir, path, signal)
    return this.#masked({ original: original ?? '', modified: modified ?? '' })
  }

  /** What is to be looked at, not to be written back. */
  #masked<Value>(value: Value): Value {
    return maskedValue(value, this.#dependencies.mask.mask)
  }

  /** Instructions for agents, of the repository and of the user. */
  async microagents(id: string, signal: AbortSignal): Promise<Microagent[]> {
    const { conversations, legacy, knowledge } = this.#dependencies
    const { working_dir, llm_model } = conversations.find(legacy.find(id))
    const place = { workingDir: working_dir, model: llm_model }
    const { skills } = await knowledge.read(await this.#open(id), place, signal)
    return this.#masked(toMicroagents(skills))
  }

  /** Where the sandbox's own servers are reached, by address. */
  async hosts(id: string): Promise<Record<string, number>> {
    const { conversations, legacy, sandboxes } = this.#dependencies
    const { exposed_urls } = await sandboxes.get(conversations.find(legacy.find(id)).sandbox_id)
    const workers = (exposed_urls ?? []).filter(({ name }) => name.startsWith('WORKER_'))
    return Object.fromEntries(workers.map(({ port }) => [`http://localhost:${port}`, port]))
  }

  /** None: nothing is injected into a sandbox. @throws AppError conversation_not_found, sandbox_not_running */
  async editor(id: string): Promise<{ vscode_url: string | null }> {
    await this.#open(id)
    return { vscode_url: null }
  }

  async #open(id: string): Promise<SandboxHandle> {
    const { conversations, legacy, sandboxes } = this.#dependencies
    return sandboxes.open(conversations.find(legacy.find(id)).sandbox_id)
  }
}

const HIDDEN = new Set(['.git/', '.DS_Store', 'node_modules/', '__pycache__/', 'lost+found/', '.vscode/'])

const LIST = `cd -- "$1" 2>/dev/null || exit 0
for name in .* *; do
  case $name in .|..) continue;; esac
  if [ -d "$name" ]; then printf '%s/\\0' "$name"
  elif [ -e "$name" ] || [ -L "$name" ]; then printf '%s\\0' "$name"; fi
done`

/** Without a repository, or without git, nothing is ignored. */
async function ignoredNames(
  sandbox: SandboxHandle,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const argv = ['git', 'check-ignore', '-z', '--stdin']
  const result = await sandbox.exec({ argv, cwd: folder, stdin: names.join('\0'), signal })
  return new Set(result.exitCode === 0 ? result.stdout.split('\0') : [])
}

function byKindAndName(a: string, b: string): number {
  const kind = Number(b.endsWith('/')) - Number(a.endsWith('/'))
  return kind || (a.toLowerCase() < b.toLowerCase() ? -1 : 1)
}

function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'The file has no name.'
  if (/[/\\\0]/.test(name)) return 'The name contains a folder.'
  return Buffer.byteLength(name) > 255 ? 'The name is too long.' : undefined
}

/** A link to a folder is one too. */
async function targetProblem(sandbox: SandboxHandle, path: string): Promise<string | undefined> {
  const there = await sandbox.stat(path)
  return there?.kind === 'directory' ? 'A folder has this name.' : undefined
}
