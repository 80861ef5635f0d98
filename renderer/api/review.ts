import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReviewComment } from '../../server/api/event/review-comments.ts'
import type { AppConversation } from '../../server/api/v1/conversation/conversations.ts'
import {
  getReviewFile,
  listReviewComments,
  listReviewFiles,
  type RevertedFile,
  type ReviewBase,
  type ReviewFile,
  type ReviewHunk,
  revertReviewFile,
  sendReviewComments,
  stageReviewFile,
  undoReviewRevert,
} from '../../server/api/v1/conversation/review.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

export interface Compared {
  base: ReviewBase
  /** The commit or the checkpoint, where that is the base. */
  named: string | null
}

const queryOf = ({ base, named }: Compared) =>
  base === 'commit' || base === 'checkpoint' ? { base, [base]: named } : { base }

export const reviewFilesQuery = (client: Client, id: string, compared: Compared, working: boolean) =>
  queryOptions({
    queryKey: keys.reviewFiles(id, compared.base, compared.named, working),
    queryFn: ({ signal }) =>
      client.call(listReviewFiles, { params: { conversation_id: id }, query: queryOf(compared), signal }),
    refetchInterval: working ? 5_000 : false,
    placeholderData: keepPreviousData,
    // A run may be over within the time for which other answers count as fresh.
    staleTime: 0,
  })

export const reviewFileQuery = (client: Client, id: string, compared: Compared, file: ReviewFile) =>
  queryOptions({
    queryKey: keys.reviewFile(id, compared.base, compared.named, file),
    queryFn: ({ signal }) => {
      const { path, old_path } = file
      const query = { ...queryOf(compared), path, ...(old_path !== null && { old_path }) }
      return client.call(getReviewFile, { params: { conversation_id: id }, query, signal })
    },
    // A file can change without its counts.
    staleTime: 0,
    // What is written below a line stays there while the agent goes on.
    placeholderData: (last, query) => {
      const [, , , base, named, shown] = query?.queryKey ?? []
      const isSameFile = typeof shown === 'object' && shown?.path === file.path
      return isSameFile && base === compared.base && named === compared.named ? last : undefined
    },
  })

/** @param seq where the log stood when they last may have changed */
export const reviewCommentsQuery = (client: Client, id: string, seq: number) =>
  queryOptions({
    queryKey: [...keys.reviewComments(id), seq],
    queryFn: ({ signal }) => client.call(listReviewComments, { params: { conversation_id: id }, signal }),
    placeholderData: keepPreviousData,
  })

export function useSendComments(id: string) {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (comments: readonly ReviewComment[]) =>
      client.call(sendReviewComments, {
        params: { conversation_id: id },
        body: { comments: [...comments], run: true },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.reviewComments(id) }),
  })
}

/** What a review begins with: of a pull request all that its branch has of its own. */
export function firstCompared({ pr_number }: Pick<AppConversation, 'pr_number'>): Compared {
  return { base: pr_number.length > 0 ? 'default_branch' : 'start', named: null }
}

/** Asks for what the review shows first while its dialog is still being drawn, which takes as long as the answers. */
export async function askAhead(
  { queries, client }: { queries: QueryClient; client: Client },
  info: Pick<AppConversation, 'id' | 'pr_number'>,
  working: boolean,
): Promise<void> {
  const compared = firstCompared(info)
  // What fails is asked for again by the dialog, which says so.
  const list = await queries.fetchQuery(reviewFilesQuery(client, info.id, compared, working)).catch(() => null)
  const [first] = list?.files ?? []
  if (first && !first.submodule) await queries.prefetchQuery(reviewFileQuery(client, info.id, compared, first))
}

export function useRevert(id: string) {
  const client = useClient()
  const refresh = useRefresh(id)
  return useMutation({
    mutationFn: (given: { compared: Compared; file: ReviewFile; version: string; hunk: ReviewHunk | null }) => {
      const { path, old_path } = given.file
      const body = { ...queryOf(given.compared), path, old_path, version: given.version, hunk: given.hunk }
      return client.call(revertReviewFile, { params: { conversation_id: id }, body })
    },
    onSettled: refresh,
  })
}

/** Into the index, or out of it, by what the file is compared with. */
export function useStage(id: string) {
  const client = useClient()
  const refresh = useRefresh(id)
  return useMutation({
    mutationFn: (given: {
      base: 'unstaged' | 'staged'
      file: ReviewFile
      version: string
      hunk: ReviewHunk | null
    }) => {
      const { path, old_path } = given.file
      const body = { path, old_path, base: given.base, version: given.version, hunk: given.hunk }
      return client.call(stageReviewFile, { params: { conversation_id: id }, body })
    },
    onSettled: refresh,
  })
}

export function useUndoRevert(id: string) {
  const client = useClient()
  const refresh = useRefresh(id)
  return useMutation({
    mutationFn: (reverted: RevertedFile) =>
      client.call(undoReviewRevert, { params: { conversation_id: id }, body: reverted }),
    onSettled: refresh,
  })
}

/** After something has changed files. */
export function useRefresh(id: string) {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: keys.git(id) })
}
