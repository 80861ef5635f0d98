import type { PullRequestStatus, ReviewThread } from '../../../api/v1/git/pull-request-status.ts'

/** What a provider says of a pull request; who it is for adds the provider's name. */
export type ProviderStatus = Omit<PullRequestStatus, 'pull_request' | 'threads'> & {
  pull_request: Omit<PullRequestStatus['pull_request'], 'git_provider'>
  threads: ProviderThread[]
}

/** What its comments suggest is read from their texts, which is the same for all providers. */
export type ProviderThread = Omit<ReviewThread, 'comments'> & {
  comments: Omit<ReviewThread['comments'][number], 'suggestions'>[]
  /** Its lines are not those of the last commit. */
  isOutdated: boolean
}

export type CheckState = PullRequestStatus['checks'][number]['state']

/** How many checks and threads are shown, and how many comments of each thread. */
export const MAX_SHOWN = 100
const MAX_TEXT = 10_000

export function shortened(text: string | null | undefined): string {
  return (text ?? '').slice(0, MAX_TEXT)
}

/** A few words; null for none. */
export function inShort(text: string | null | undefined): string | null {
  return text?.trim().slice(0, 500) || null
}
