import { createHash } from 'node:crypto'
import type { RepositoryItem } from '../api/v1/conversation/repository-trust.ts'

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Names the content of an item: which files, in whatever order they were found, and what they hold. */
export function itemDigest({ role, path, files }: Pick<RepositoryItem, 'role' | 'path' | 'files'>): string {
  const lines = files.map(file => `${file.sha256} ${JSON.stringify(file.path)}`).sort()
  return sha256(['atelier-repository-item-1', role, JSON.stringify(path), ...lines].join('\n'))
}

/** Names the content of all items together. */
export function digestOf(items: readonly RepositoryItem[]): string {
  const lines = items.map(item => item.sha256).sort()
  return sha256(['atelier-repository-1', ...lines].join('\n'))
}
