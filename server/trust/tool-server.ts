import type { RepositoryFile, RepositoryItem } from '../api/v1/conversation/repository-trust.ts'
import { itemDigest, sha256 } from './content.ts'
import { kindsOf, type RepositoryLocation, TOO_MUCH, withNamedFiles } from './read-files.ts'
import { referencedPaths } from './references.ts'

/** A tool server that carries secrets. */
export interface ServerWithSecrets {
  name: string
  command: string
  /** Arguments and variables without those that are secret. */
  words: readonly string[]
  /** The folder that it is to start in, where one was named. */
  cwd: string | null
  /** Names of its secrets. */
  carries: readonly string[]
}

/**
 * What a tool server runs of the repository; null for one that names neither a file nor a folder of it. A folder is trusted
 * as such: whatever lies in it may be run.
 * @throws AppError of the sandbox, and the signal's reason
 */
export async function inspectToolServer(
  server: ServerWithSecrets,
  place: RepositoryLocation,
): Promise<RepositoryItem | null> {
  const text = [server.command, ...server.words].map(word => fromRoot(word, place.folder)).join('\n')
  const cwd = server.cwd && fromRoot(server.cwd, place.folder)
  const named = referencedPaths({ path: '', text: cwd ? `cd ${cwd}\n${text}` : text })
  if (named === null) return toItem(server, { files: [], problem: TOO_MUCH })
  const kinds = await kindsOf(named, place)
  const links = named.filter((_, at) => kinds[at] === 'link')
  const files = named.filter((_, at) => kinds[at] === 'file')
  const folders = [
    ...(cwd?.startsWith('.') ? [cwd] : []),
    ...(/(^|[\s=,@:])\.\/?(?=$|[\s,:])/m.test(text) ? ['.'] : []),
    ...named.filter((path, at) => kinds[at] === 'folder' && isWrittenAsPath(path, text)),
  ]
  if (links.length > 0) {
    return toItem(server, { files: [describe(server, links)], problem: `${links.join(', ')} is a link.` })
  }
  if (files.length === 0 && folders.length === 0) return null
  return toItem(server, await withNamedFiles([describe(server, files, folders)], place))
}

/** A word alone is more often a word than a folder. */
function isWrittenAsPath(path: string, text: string): boolean {
  return path.includes('/') || text.includes(`./${path}`) || text.includes(`${path}/`)
}

/** Paths of the repository as seen from its root. */
function fromRoot(word: string, folder: string): string {
  return word
    .split(folder)
    .map((rest, at) => (at > 0 && !/^[\w.-]/.test(rest) ? `.${rest}` : `${at > 0 ? folder : ''}${rest}`))
    .join('')
}

/** How it is run, in place of a script. Holds no argument but those that name something of the repository. */
function describe(
  { name, command, carries }: ServerWithSecrets,
  files: readonly string[],
  folders: readonly string[] = [],
): RepositoryFile {
  const lines = [
    `Command: ${command}`,
    `Gets: ${carries.join(', ')}`,
    ...files.map(path => `Names the file "${path}"`),
    ...folders.map(path => `Names the folder "${path}": whatever lies in it may be run, also when it has changed`),
  ]
  const text = lines.join('\n')
  return { path: `tool server ${name}`, sha256: sha256(text), size_bytes: Buffer.byteLength(text), text }
}

function toItem(
  { name, carries }: ServerWithSecrets,
  read: { files: RepositoryFile[]; problem: string | null },
): RepositoryItem {
  const item = { role: 'tool_server' as const, path: name, files: read.files }
  return { ...item, problem: read.problem, carries: [...carries], sha256: itemDigest(item) }
}
