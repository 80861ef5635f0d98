import type { RepositoryItem } from '../api/v1/conversation/repository-trust.ts'

/**
 * A set-up script that makes or changes a file which it names has other content once it has run. `item` is as it was cloned,
 * `sha256` as the script left it, before anything else ran in the sandbox.
 */
export interface SetUpChanges {
  item: RepositoryItem
  sha256: string
}

/** null when its run has changed nothing that counts, or something that could not be read. */
export function changesOfSetUp(
  cloned: readonly RepositoryItem[],
  after: readonly RepositoryItem[],
): SetUpChanges | null {
  const [item, left] = [cloned, after].map(items => items.find(({ role }) => role === 'setup_script'))
  if (!item || !left || item.problem !== null || left.problem !== null || item.sha256 === left.sha256) return null
  return { item, sha256: left.sha256 }
}

/** What a set-up script has left is taken for the script that left it. */
export function withOriginalFiles(
  items: readonly RepositoryItem[],
  { settled }: { settled: SetUpChanges | null },
): RepositoryItem[] {
  return items.map(item => (settled?.sha256 === item.sha256 ? settled.item : item))
}
