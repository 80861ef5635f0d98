import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_SANDBOX } from './failures.ts'
import { dateTime } from './page.ts'
import { route } from './route.ts'

const tag = 'Trust of repositories'

/**
 * The `hook_command` of the `HookExecutionEvent` that says what a repository was not given. It is an event that existing
 * clients show; no hook has run.
 */
export const TRUST_NOTICE = 'Trust of this repository'

const params = z.object({ conversation_id: z.string() })
const path = '/api/v1/app-conversations/{conversation_id}/repository-trust' as const

/** What of a repository runs by itself: its set-up script, its git hook, and the sub-agents that it describes. */
export const repositoryRole = z.enum(['setup_script', 'pre_commit', 'sub_agent'])
export type RepositoryRole = z.output<typeof repositoryRole>

export const repositoryFile = z.object({
  /** From the repository's root. */
  path: z.string(),
  sha256: z.string(),
  size_bytes: z.int(),
  /** With secret values masked; null for what is not text or too large to be read by a person. */
  text: z.string().nullable(),
})
export type RepositoryFile = z.output<typeof repositoryFile>

export const repositoryItem = z.object({
  role: repositoryRole,
  path: z.string(),
  /** Over the contents of all files: with other content it is another item. */
  sha256: z.string(),
  /** First the one that runs, then the files of the repository that it names. */
  files: z.array(repositoryFile),
  /** Why it cannot be trusted, in words; null for what can. */
  problem: z.string().nullable(),
})
export type RepositoryItem = z.output<typeof repositoryItem>

export const conversationTrustItem = repositoryItem.extend({
  trusted: z.boolean(),
  /** Variables of the secrets that it would get: those that a script names. Empty for a sub-agent, which names none beforehand. */
  secrets: z.array(z.string()),
})
export type ConversationTrustItem = z.output<typeof conversationTrustItem>

/**
 * `nothing`: nothing runs that would need trust. `waiting`: something was left out, and nobody has decided yet.
 * `postponed`: a person has said "Not now" to this content.
 */
export const trustState = z.enum(['nothing', 'trusted', 'waiting', 'postponed'])

export const conversationTrust = z.object({
  /** What trust is given to: `host/owner/name`, or a folder. */
  repository: z.string(),
  /** Of all items together; changed content has another one. */
  digest: z.string(),
  state: trustState,
  items: z.array(conversationTrustItem),
  /** What this conversation does without, one sentence each. */
  left_out: z.array(z.string()),
  /** What trust came too late for, and can be done now on request. */
  set_up: z.object({
    state: z.enum(['none', 'offered', 'running', 'done', 'failed']),
    /** What would be done, is being done or came out. */
    detail: z.string().nullable(),
  }),
})
export type ConversationTrust = z.output<typeof conversationTrust>

export const trustedItem = repositoryItem.omit({ problem: true }).extend({
  trusted_at: dateTime,
  /** Variables of the secrets that it may get. */
  secrets: z.array(z.string()),
})
export type TrustedItem = z.output<typeof trustedItem>

export const trustedRepository = z.object({ repository: z.string(), trusted_at: dateTime, items: z.array(trustedItem) })
export type TrustedRepository = z.output<typeof trustedRepository>

export const listTrustedRepositories = route({
  method: 'get',
  path: '/api/v1/trusted-repositories',
  summary: 'Repositories that a person trusts, the last first, with what was trusted',
  tag,
  reply: z.object({ items: z.array(trustedRepository) }),
})

/** Only what a conversation has found can be trusted: `repository` and `digest` are those of its `repository-trust`. */
export const trustRepository = route({
  method: 'post',
  path: '/api/v1/trusted-repositories',
  summary: 'Trust a repository with the content of this digest: from now on it gets the secrets that it names',
  tag,
  body: z.object({ repository: z.string().max(1000), digest: z.string().max(100) }),
  failures: ['not_found', 'conflict'],
  reply: trustedRepository,
})

export const distrustRepository = route({
  method: 'delete',
  path: '/api/v1/trusted-repositories',
  summary: 'Trust a repository no more; its git hook is removed from the sandboxes that have it',
  tag,
  query: z.object({ repository: z.string().max(1000) }),
  failures: ['not_found'],
  reply: z.object({ success: z.boolean() }),
})

export const getRepositoryTrust = route({
  method: 'get',
  path,
  summary: 'What of the repository runs by itself, whether it is trusted, and what was left out',
  tag,
  params,
  query: z.object({
    /** Look into the sandbox now, if it runs; without, it is as it was when the agent began its last run. */
    refresh: z.boolean().default(false),
  }),
  failures: IN_CONVERSATION,
  reply: conversationTrust,
})

export const postponeRepositoryTrust = route({
  method: 'post',
  path: `${path}/postpone`,
  summary: 'Not now: this conversation goes on without, and asks again when the content changes',
  tag,
  params,
  failures: IN_OWN_CONVERSATION,
  reply: conversationTrust,
})

/** Answers when it has begun; `set_up` tells how it goes on. */
export const setUpRepository = route({
  method: 'post',
  path: `${path}/set-up`,
  summary: 'Do now what was left out: run the trusted set-up script with its secrets and install the git hook',
  tag,
  params,
  failures: [...IN_OWN_CONVERSATION, ...IN_SANDBOX, 'conflict'],
  reply: conversationTrust,
})
