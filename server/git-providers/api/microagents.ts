import { z } from 'zod'
import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import { readDocument } from '../../domain/front-matter.ts'
import type { GitData } from './git-data.ts'
import { filePath } from './repository-address.ts'

interface Microagent {
  name: string
  path: string
  created_at: string
}

const triggers = z.array(z.string()).catch([])

/** Repositories of instructions alone keep them one folder higher. */
const CENTRAL = new Set(['.openhands', 'openhands-config'])

/** Instructions for agents in a repository at its provider, without cloning it. @throws as GitData does */
export async function listMicroagents(
  data: Pick<GitData, 'folder'>,
  repository: string,
  signal: AbortSignal,
): Promise<Microagent[]> {
  const place = { provider: null, repository }
  const folder = CENTRAL.has(repository.split('/').at(-1) ?? '') ? 'microagents' : '.openhands/microagents'
  const [root, own] = [await data.folder(place, '', signal), await data.folder(place, folder, signal)]
  const files = [
    ...root.files.filter(({ name }) => name === '.cursorrules').map(file => ({ ...file, changedAt: root.changedAt })),
    ...own.files
      .filter(({ name }) => /\.md$/i.test(name) && name.toLowerCase() !== 'readme.md')
      .map(file => ({ ...file, changedAt: own.changedAt })),
  ]
  return files.map(({ name, path, changedAt }) => ({
    name: name.replace(/\.md$/i, ''),
    path,
    created_at: changedAt ?? new Date(0).toISOString(),
  }))
}

/** @throws AppError not_found, or as GitData does */
export async function readMicroagent(
  data: Pick<GitData, 'file'>,
  { repository, path }: { repository: string; path: string },
  signal: AbortSignal,
): Promise<{ content: string; path: string; triggers: string[]; git_provider: GitProvider }> {
  const { text, provider } = await data.file({ provider: null, repository }, filePath(path), signal)
  const { fields, body } = readDocument(text)
  return { content: body.trim(), path, triggers: triggers.parse(fields?.triggers), git_provider: provider }
}
