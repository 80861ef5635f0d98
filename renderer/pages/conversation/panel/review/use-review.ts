import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LEAF_KEY } from '../../../../../server/api/event/branch.ts'
import type { Event } from '../../../../../server/api/event/events.ts'
import { ANSWER_REVIEW_COMMENT, type ReviewComment } from '../../../../../server/api/event/review-comments.ts'
import type { RevertedFile, ReviewFile } from '../../../../../server/api/v1/conversation/review.ts'
import { pullRequestStatusQuery } from '../../../../api/git-state.ts'
import { type Compared, firstCompared, reviewCommentsQuery, reviewFilesQuery } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { withComment } from '../../../../state/conversation/review-comments.ts'
import { useOpenConversation, useSnapshot } from '../../context.ts'
import { useStoredComments, useStoredViewed } from './use-stored.ts'

/** The changes of a conversation, which of them is looked at, and what was remarked about them. */
export function useReview() {
  const { id, status, info } = useOpenConversation()
  const [compared, setCompared] = useState<Compared>(firstCompared(info))
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [viewed, setViewed] = useStoredViewed(id)
  const [comments, setComments] = useStoredComments(id)
  const [last, setReverted] = useState<{ words: string; reverted: RevertedFile } | null>(null)
  const working = status === 'running'
  const list = useQuery(reviewFilesQuery(useClient(), id, compared, working))
  const request = useQuery({ ...pullRequestStatusQuery(useClient(), id, working), enabled: info.pr_number.length > 0 })
  const threads = request.data?.state === 'OPEN' ? request.data.threads : []
  const seq = useSnapshot(({ conversation }) => seqOfReviews(conversation.events))
  const sent = useQuery(reviewCommentsQuery(useClient(), id, seq)).data?.items ?? []
  const all = list.data?.files ?? []
  const wanted = filter.trim().toLowerCase()
  const files = all.filter(({ path }) => path.toLowerCase().includes(wanted))
  const commented = [
    ...new Set([...sent, ...comments].filter(one => !all.some(file => isOf(one, file))).map(of => of.path)),
  ]
  const unlisted = list.isPending ? [] : commented.filter(path => path.toLowerCase().includes(wanted))
  const paths = [...files.map(({ path }) => path), ...unlisted]
  const path = paths.find(one => one === chosen) ?? paths[0] ?? null
  const step = (by: 1 | -1) => {
    const next = path === null ? undefined : paths[paths.indexOf(path) + by]
    if (next !== undefined) setChosen(next)
  }
  return {
    list,
    all,
    files,
    file: files.find(file => file.path === path) ?? null,
    /** Files with comments that are not among the changes, and the one of them that is looked at. */
    unlisted,
    unlistedPath: path !== null && unlisted.includes(path) ? path : null,
    compared,
    setCompared,
    filter,
    setFilter,
    choose: setChosen,
    step,
    isViewed: (other: ReviewFile) => viewed.includes(markOf(other)),
    toggleViewed: (other: ReviewFile) => {
      const mark = markOf(other)
      setViewed(viewed.includes(mark) ? viewed.filter(known => known !== mark) : [...viewed, mark])
    },
    last,
    setReverted,
    /** Of the pull request. */
    threadsOf: ({ path }: Pick<ReviewFile, 'path'>) => threads.filter(thread => thread.path === path),
    /** The comments that the agent has. */
    sent,
    sentOf: (file: Pick<ReviewFile, 'path' | 'old_path'>) => sent.filter(comment => isOf(comment, file)),
    /** The comments that wait to be sent. */
    comments,
    comment: (comment: ReviewComment) => setComments(withComment(comments, comment)),
    forgetComments: () => setComments([]),
  }
}

export type Review = ReturnType<typeof useReview>

export function isOf(comment: ReviewComment, { path, old_path }: Pick<ReviewFile, 'path' | 'old_path'>): boolean {
  return comment.path === path || comment.path === old_path
}

/** Where the log last told of a review, an answer to one, or of going back. */
function seqOfReviews(events: readonly Event[]): number {
  const last = events.findLast(
    event =>
      (event.kind === 'MessageEvent' && event.source === 'user') ||
      (event.kind === 'ObservationEvent' && event.tool_name === ANSWER_REVIEW_COMMENT) ||
      (event.kind === 'ConversationStateUpdateEvent' && event.key === LEAF_KEY),
  )
  return last?.seq ?? -1
}

function markOf({ path, additions, deletions, status }: ReviewFile): string {
  return `${status} ${additions} ${deletions} ${path}`
}
