import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RevertedFile, ReviewFile } from '../../../../../server/api/v1/conversation/review.ts'
import { pullRequestStatusQuery } from '../../../../api/git-state.ts'
import { type Compared, reviewFilesQuery } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { type ReviewComment, withComment } from '../../../../state/conversation/review-comments.ts'
import { useOpenConversation } from '../../context.ts'
import { useStoredComments, useStoredViewed } from './use-stored.ts'

/** The changes of a conversation, which of them is looked at, and what was remarked about them. */
export function useReview() {
  const { id, status, info } = useOpenConversation()
  const [compared, setCompared] = useState<Compared>({
    // What a pull request is about is all that its branch has of its own.
    base: info.pr_number.length > 0 ? 'default_branch' : 'start',
    named: null,
  })
  const [filter, setFilter] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const [viewed, setViewed] = useStoredViewed(id)
  const [comments, setComments] = useStoredComments(id)
  const [last, setReverted] = useState<{ words: string; reverted: RevertedFile } | null>(null)
  const working = status === 'running'
  const list = useQuery(reviewFilesQuery(useClient(), id, compared, working))
  const request = useQuery({ ...pullRequestStatusQuery(useClient(), id, working), enabled: info.pr_number.length > 0 })
  const threads = request.data?.state === 'OPEN' ? request.data.threads : []
  const all = list.data?.files ?? []
  const wanted = filter.trim().toLowerCase()
  const files = all.filter(({ path }) => path.toLowerCase().includes(wanted))
  const file = files.find(({ path }) => path === chosen) ?? files[0] ?? null
  const step = (by: 1 | -1) => {
    const next = file && files[files.indexOf(file) + by]
    if (next) setChosen(next.path)
  }
  return {
    list,
    all,
    files,
    file,
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
    comments,
    comment: (comment: ReviewComment) => setComments(withComment(comments, comment)),
    forgetComments: () => setComments([]),
  }
}

export type Review = ReturnType<typeof useReview>

function markOf({ path, additions, deletions, status }: ReviewFile): string {
  return `${status} ${additions} ${deletions} ${path}`
}
