import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from './failures.ts'
import { gitChange, gitDiff } from './git-changes.ts'
import { route } from './route.ts'

const path = (rest: string) => `/api/v1/app-conversations/{conversation_id}/${rest}` as const
const params = z.object({ conversation_id: z.string() })
const file = z.string().min(1).max(4096)
const tag = 'App conversations'

/** 404 where there is no such file, 409 while the sandbox does not run, 413 above 10 MiB, 415 for what is not text. */
export const getConversationFile = route({
  method: 'get',
  path: path('file'),
  summary: "A text file of the conversation's sandbox; relative paths begin in its working directory",
  tag,
  params,
  query: z.object({ file_path: file.default('PLAN.md') }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_not_found', 'file_too_large', 'file_not_text'],
  reply: z.string(),
})

export const getConversationChanges = route({
  method: 'get',
  path: path('git/changes'),
  summary: 'What has changed in the repositories of the working directory; nothing where there is none',
  tag,
  params,
  query: z.object({ path: file.nullish() }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.array(gitChange),
})

export const getConversationDiff = route({
  method: 'get',
  path: path('git/diff'),
  summary: 'A changed file as it was and as it is',
  tag,
  params,
  query: z.object({ path: file }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_too_large', 'not_a_repository'],
  reply: gitDiff,
})

/** `meta.json` is the conversation; `event_NNNNNN_<id>.json` are its events in their order. */
export const downloadConversation = route({
  method: 'get',
  path: path('download'),
  summary: 'The conversation with all its events, as a ZIP archive',
  tag,
  params,
  failures: IN_CONVERSATION,
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/zip' },
})
