import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { RouteBodyInput } from '../../server/api/contract/route.ts'
import { commitChanges, getGitState, pushBranch } from '../../server/api/v1/git/commits.ts'
import { draftGitMessage } from '../../server/api/v1/git/drafts.ts'
import {
  answerReviewThread,
  applySuggestion,
  getPullRequestStatus,
  resolveReviewThread,
  type SuggestedChange,
  startPullRequestTask,
} from '../../server/api/v1/git/pull-request-status.ts'
import { findPullRequest, openPullRequest } from '../../server/api/v1/git/pull-requests.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

/** The repository of a conversation; it is asked again when the agent begins or ends to work. */
export const gitStateQuery = (client: Client, id: string, working: boolean) =>
  queryOptions({
    queryKey: keys.gitState(id, working),
    queryFn: ({ signal }) => client.call(getGitState, { params: { conversation_id: id }, signal }),
    // What is being asked outlasts the moment in which the agent begins or ends.
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    // A run may be over within the time for which other answers count as fresh.
    staleTime: 0,
    retry: false,
  })

/** The open pull request from its branch; null without one. */
export const pullRequestQuery = (client: Client, id: string, branch: string | null) =>
  queryOptions({
    queryKey: keys.pullRequest(id, branch),
    queryFn: ({ signal }) => client.call(findPullRequest, { params: { conversation_id: id }, signal }),
    retry: false,
  })

const CHECKING_MS = 20_000
const WAITING_MS = 120_000

/**
 * What became of the pull request; it is asked again when the agent begins or ends to work, as it may have pushed, and as
 * long as something can change, more often while checks run.
 */
export const pullRequestStatusQuery = (client: Client, id: string, working: boolean) =>
  queryOptions({
    queryKey: keys.pullRequestStatus(id, working),
    queryFn: ({ signal }) => client.call(getPullRequestStatus, { params: { conversation_id: id }, signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data && data.state !== 'OPEN') return false
      const goesOn = data?.merge === 'CHECKING' || data?.checks.some(({ state }) => state === 'PENDING')
      return goesOn ? CHECKING_MS : WAITING_MS
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    staleTime: 0,
    retry: false,
  })

/** The acts end with the dialog that asked for them: what is done stays, nothing more begins. */
export function useCommit(id: string) {
  return useGitAct(id, (client, body: RouteBodyInput<typeof commitChanges>, signal) =>
    client.call(commitChanges, { params: { conversation_id: id }, body, signal }),
  )
}

/** Writes a message by the model. */
export function useDraft(id: string) {
  return useGitAct(id, (client, body: RouteBodyInput<typeof draftGitMessage>, signal) =>
    client.call(draftGitMessage, { params: { conversation_id: id }, body, signal }),
  )
}

export function usePush(id: string) {
  return useGitAct(id, (client, body: RouteBodyInput<typeof pushBranch>, signal) =>
    client.call(pushBranch, { params: { conversation_id: id }, body, signal }),
  )
}

export function useOpenPullRequest(id: string) {
  return useGitAct(id, (client, body: RouteBodyInput<typeof openPullRequest>, signal) =>
    client.call(openPullRequest, { params: { conversation_id: id }, body, signal }),
  )
}

/** Sends the agent what it needs for one kind of work on the pull request. */
export function usePullRequestTask(id: string) {
  return useGitAct(id, (client, kind: RouteBodyInput<typeof startPullRequestTask>['kind'], signal) =>
    client.call(startPullRequestTask, { params: { conversation_id: id }, body: { kind }, signal }),
  )
}

/** Posts to the pull request in the person's name. */
export function useAnswerThread(id: string) {
  return useGitAct(id, (client, { thread, text }: { thread: string; text: string }, signal) =>
    client.call(answerReviewThread, {
      params: { conversation_id: id, thread_id: thread },
      body: { text },
      signal,
    }),
  )
}

/** Writes into the sandbox. */
export function useApplySuggestion(id: string) {
  return useGitAct(id, (client, { thread, suggested }: { thread: string; suggested: SuggestedChange }, signal) =>
    client.call(applySuggestion, { params: { conversation_id: id, thread_id: thread }, body: suggested, signal }),
  )
}

export function useResolveThread(id: string) {
  return useGitAct(id, (client, { thread, resolved }: { thread: string; resolved: boolean }, signal) =>
    client.call(resolveReviewThread, {
      params: { conversation_id: id, thread_id: thread },
      body: { resolved },
      signal,
    }),
  )
}

function useGitAct<Body, Reply>(id: string, act: (client: Client, body: Body, signal: AbortSignal) => Promise<Reply>) {
  const client = useClient()
  const queries = useQueryClient()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  return useMutation({
    mutationFn: (body: Body) => {
      running.current = new AbortController()
      return act(client, body, running.current.signal)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.git(id) }),
  })
}
