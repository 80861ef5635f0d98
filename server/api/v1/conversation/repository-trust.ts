import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { conversationParams } from './params.ts'

const tag = 'Trust of repositories'

/**
 * The `hook_command` of the `HookExecutionEvent` that says what a repository was not given. It is an event that existing
 * clients show; no hook has run.
 */
export const TRUST_NOTICE = 'Trust of this repository'

const path = '/api/v1/app-conversations/{conversation_id}/repository-trust' as const

/**
 * What of a repository runs by itself: its set-up script, its git hook, the sub-agents that it describes, tool servers
 * that carry secrets and whose command names files of it, skills with commands that are run when they are read, and the
 * services of its compose file.
 */
export const repositoryRole = z.enum(['setup_script', 'pre_commit', 'sub_agent', 'tool_server', 'skill', 'services'])
export type RepositoryRole = z.output<typeof repositoryRole>

export const repositoryFile = z.object({
  path: z.string().describe("Path of the file from the repository's root."),
  sha256: z.string().describe('SHA-256 of its content, in hexadecimal digits.'),
  size_bytes: z.int().describe('Size of the file in bytes.'),
  text: z
    .string()
    .nullable()
    .describe('Its text with secret values masked; null for what is not text or too large to be read by a person.'),
})
export type RepositoryFile = z.output<typeof repositoryFile>

export const repositoryItem = z.object({
  role: repositoryRole.describe('What runs by itself.'),
  path: z.string().describe("Path of the file that runs, from the repository's root."),
  sha256: z.string().describe('SHA-256 over the contents of all its files: with other content it is another item.'),
  files: z
    .array(repositoryFile)
    .describe('First the file that runs, or how it is run, then the files of the repository that it names.'),
  carries: z
    .array(z.string())
    .default([])
    .describe('Names of what a tool server carries that nobody should read: its variables and options.'),
  problem: z.string().nullable().describe('Why it cannot be trusted, in words; null for what can.'),
})
export type RepositoryItem = z.output<typeof repositoryItem>

export const conversationTrustItem = repositoryItem.extend({
  trusted: z.boolean().describe('Whether a person trusts it with this content.'),
  secrets: z
    .array(z.string())
    .describe(
      'Variables of the secrets that it would get: those that a script names, or that a tool server carries. Empty for a sub-agent, which names none beforehand.',
    ),
})
export type ConversationTrustItem = z.output<typeof conversationTrustItem>

/**
 * `nothing`: nothing runs that would need trust. `waiting`: something was left out, and nobody has decided yet.
 * `postponed`: a person has said "Not now" to this content.
 */
export const trustState = z.enum(['nothing', 'trusted', 'waiting', 'postponed'])

export const conversationTrust = z.object({
  repository: z.string().describe('What trust is given to: `host/owner/name`, or a folder.'),
  digest: z.string().describe('Digest of all items together; changed content has another one.'),
  state: trustState.describe('Whether it is trusted, waits for a person, or was put off.'),
  items: z.array(conversationTrustItem).describe('What of the repository runs by itself.'),
  left_out: z.array(z.string()).describe('What this conversation does without, one sentence each.'),
  set_up: z
    .object({
      state: z.enum(['none', 'offered', 'running', 'done', 'failed']).describe('How far that is.'),
      detail: z.string().nullable().describe('What would be done, is being done or came out; null for none.'),
    })
    .describe('What trust came too late for, and can be done now on request.'),
})
export type ConversationTrust = z.output<typeof conversationTrust>

export const trustedItem = repositoryItem.omit({ problem: true }).extend({
  trusted_at: dateTime.describe('When a person trusted it.'),
  secrets: z.array(z.string()).describe('Variables of the secrets that it may get.'),
})
export type TrustedItem = z.output<typeof trustedItem>

export const trustedRepository = z.object({
  repository: z.string().describe('What is trusted: `host/owner/name`, or a folder.'),
  trusted_at: dateTime.describe('When a person last trusted something of it.'),
  items: z.array(trustedItem).describe('What of it is trusted.'),
})
export type TrustedRepository = z.output<typeof trustedRepository>

export const listTrustedRepositories = route({
  method: 'get',
  path: '/api/v1/trusted-repositories',
  summary: 'Repositories that a person trusts, the last first, with what was trusted',
  description: 'Lists the repositories that a person trusts, the last first, with what was trusted of each.',
  tag,
  reply: z.object({ items: z.array(trustedRepository).describe('Trusted repositories, the last first.') }),
})

/** Only what a conversation has found can be trusted: `repository` and `digest` are those of its `repository-trust`. */
export const trustRepository = route({
  method: 'post',
  path: '/api/v1/trusted-repositories',
  summary: 'Trust a repository with the content of this digest',
  description:
    'Trusts a repository with exactly the content of this digest. From now on that content runs by itself and gets the secrets that it names.',
  tag,
  body: z.object({
    repository: z.string().max(1000).describe("What to trust: `repository` of the conversation's trust."),
    digest: z
      .string()
      .max(100)
      .describe("Content to trust: `digest` of the conversation's trust. 409 when the content has changed since."),
  }),
  failures: ['not_found', 'conflict'],
  reply: trustedRepository,
})

export const distrustRepository = route({
  method: 'delete',
  path: '/api/v1/trusted-repositories',
  summary: 'Trust a repository no more',
  description: 'Ends the trust in a repository, and removes its git hook from the sandboxes that have it.',
  tag,
  query: z.object({ repository: z.string().max(1000).describe('What to trust no more, as it is listed.') }),
  failures: ['not_found'],
  reply: z.object({ success: z.boolean().describe('Whether it was trusted before.') }),
})

export const getRepositoryTrust = route({
  method: 'get',
  path,
  summary: 'What of the repository runs by itself, whether it is trusted, and what was left out',
  description:
    'Shows what of the repository would run by itself, whether a person trusts it, and what the conversation does without.',
  tag,
  params: conversationParams,
  query: z.object({
    refresh: z
      .boolean()
      .default(false)
      .describe(
        'Whether to look into the sandbox now, if it runs; otherwise the reply is as it was when the agent began its last run.',
      ),
  }),
  failures: IN_CONVERSATION,
  reply: conversationTrust,
})

export const postponeRepositoryTrust = route({
  method: 'post',
  path: `${path}/postpone`,
  summary: 'Not now',
  description:
    'Puts the decision off: the conversation goes on without what is not trusted, and asks again when its content changes.',
  tag,
  params: conversationParams,
  failures: IN_OWN_CONVERSATION,
  reply: conversationTrust,
})

/** Answers when it has begun; `set_up` tells how it goes on. */
export const setUpRepository = route({
  method: 'post',
  path: `${path}/set-up`,
  summary: 'Do now what was left out',
  description:
    'Does now what was left out while the repository was not trusted: runs the set-up script with its secrets and installs the git hook. 409 when there is nothing to do.',
  tag,
  params: conversationParams,
  failures: [...IN_OWN_CONVERSATION, ...IN_SANDBOX, 'conflict'],
  reply: conversationTrust,
})
