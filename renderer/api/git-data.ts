import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { GitProvider } from '../../server/api/v1/conversation/conversations.ts'
import { searchGitBranches, searchGitRepositories, searchSuggestedTasks } from '../../server/api/v1/git/routes.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'

/** Providers limit how often they are asked, so not every letter of a search is sent. */
const TYPING_PAUSE_MS = 250
const STALE_MS = 60_000

/** At all providers with a token; without a text the user's own, the last pushed first. */
export const gitRepositoriesQuery = (client: Client, text: string) =>
  queryOptions({
    queryKey: keys.gitRepositories(text),
    queryFn: async ({ signal }) => {
      await typingPause(text, signal)
      return client.call(searchGitRepositories, { query: { query: text || null, limit: 30 }, signal })
    },
    retry: false,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  })

export interface BranchSearch {
  provider: GitProvider
  repository: string
  text: string
}

export const gitBranchesQuery = (client: Client, { provider, repository, text }: BranchSearch) =>
  queryOptions({
    queryKey: keys.gitBranches(provider, repository, text),
    queryFn: async ({ signal }) => {
      await typingPause(text, signal)
      return client.call(searchGitBranches, { query: { provider, repository, query: text, limit: 30 }, signal })
    },
    retry: false,
    staleTime: STALE_MS,
  })

export const suggestedTasksQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.suggestedTasks,
    queryFn: ({ signal }) => client.call(searchSuggestedTasks, { query: { limit: 50 }, signal }),
    retry: false,
    staleTime: STALE_MS,
  })

/** @throws the signal's reason when the search goes on with another text */
function typingPause(text: string, signal: AbortSignal): Promise<void> {
  if (text === '') return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, TYPING_PAUSE_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
