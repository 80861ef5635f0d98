import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { WorkspaceSource } from '../../domain/start-plan.ts'
import type { Folders } from '../../folder/folders.ts'
import { cloneRepository } from '../../git/clone.ts'
import { type CommitIdentity, initRepository, setIdentity } from '../../git/repository.ts'
import type { GitCredentials } from '../../git-providers/provider.ts'
import type { StartStepContext } from '../start/work.ts'
import { copyFolder } from './copied-folder.ts'
import { unpackImportedFolder } from './imported-folder.ts'

/** Fills the workspace and returns the folder in which the agent works. */
export async function prepareWorkspace(
  sandbox: SandboxHandle,
  source: WorkspaceSource,
  options: {
    identity: CommitIdentity
    demonstrationDir: string
    folders: Folders
    /** Names the branch on which a copied folder is worked on, and can be applied to the folder later. */
    conversation: string
    /** Where a mounted folder is in the sandbox. */
    mountedAt: string | undefined
    /** What git presents at an address, if anything. */
    credentialsFor: (url: string) => Promise<GitCredentials | undefined>
    /** With which a repository is fetched that the sandbox does not reach. */
    fetch: typeof globalThis.fetch
    /** Whether every repository is fetched so: its login is not for the programs of this sandbox. */
    isFetched: boolean
  } & StartStepContext,
): Promise<string> {
  const { identity, signal } = options
  switch (source.kind) {
    case 'empty':
      await initRepository(sandbox, sandbox.workingDir, identity, signal)
      return sandbox.workingDir
    case 'folder':
      await initRepository(sandbox, source.path, identity, signal)
      return source.path
    case 'repository':
      await setIdentity(sandbox, identity, signal)
      return cloneRepository(sandbox, source, {
        signal,
        fetch: options.fetch,
        isFetched: options.isFetched,
        credentials: await options.credentialsFor(source.url),
        onProgress: detail => options.report({ detail }),
      })
    case 'copied_folder':
      await setIdentity(sandbox, identity, signal)
      return copyFolder(sandbox, options.folders, { ...source, conversation: options.conversation }, options)
    case 'imported_folder':
      await setIdentity(sandbox, identity, signal)
      options.report({ detail: 'Unpacking the working folder of the other computer.' })
      try {
        return await unpackImportedFolder(sandbox, options.folders.imported, { ...source, signal })
      } catch (error) {
        signal.throwIfAborted()
        // It stays where it was imported, for another try; the conversation must not be lost with it.
        if (!isAppError(error, 'command_failed') && !isAppError(error, 'file_too_large')) throw error
        options.report({ detail: messageOf(error) })
        return prepareWorkspace(sandbox, source.otherwise, options)
      }
    case 'mounted_folder':
      // Nothing is written into it: no identity, no repository.
      await setIdentity(sandbox, identity, signal)
      return options.mountedAt ?? sandbox.workingDir
    case 'demonstration':
      return copyDemonstration(sandbox, source.name, options)
  }
}

async function copyDemonstration(
  sandbox: SandboxHandle,
  name: string,
  options: { demonstrationDir: string; identity: CommitIdentity } & StartStepContext,
): Promise<string> {
  const folder = `${sandbox.workingDir}/${name}`
  await sandbox.writeFiles(folder, await readTree(options.demonstrationDir))
  await initRepository(sandbox, folder, options.identity, options.signal)
  await sandbox.exec({
    argv: ['/bin/sh', '-c', DEMONSTRATION_COMMIT],
    cwd: folder,
    signal: options.signal,
  })
  return folder
}

/** Its commit is younger than the conversation, so it is named as what changes are compared with. */
const DEMONSTRATION_COMMIT =
  'git add -A && git commit -qm "The repository as it was found" && git update-ref refs/atelier/start HEAD'

async function readTree(root: string): Promise<{ path: string; content: Buffer }[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Promise.all(
    files.map(async file => ({ path: relative(root, file).split(sep).join('/'), content: await readFile(file) })),
  )
}
