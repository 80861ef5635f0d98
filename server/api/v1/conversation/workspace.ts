import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { gitChange, gitDiff } from './git-changes.ts'
import { conversationParams } from './params.ts'

const path = (rest: string) => `/api/v1/app-conversations/{conversation_id}/${rest}` as const
const file = argumentText(4096).min(1)
const tag = 'App conversations'

/** 404 where there is no such file, 409 while the sandbox does not run, 413 above 10 MiB, 415 for what is not text. */
export const getConversationFile = route({
  method: 'get',
  path: path('file'),
  summary: "A text file of the conversation's sandbox",
  description: 'Reads a text file of the sandbox. 415 for one that is no text, 413 for one that is too large.',
  tag,
  params: conversationParams,
  query: z.object({
    file_path: file
      .optional()
      .describe(
        'Path of the text file in the sandbox; a relative one begins in the working directory. Absent is the plan: `.agents_tmp/PLAN.md`, or `PLAN.md` where that is missing.',
      ),
  }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_not_found', 'file_too_large', 'file_not_text'],
  reply: z.string(),
})

export const getConversationChanges = route({
  method: 'get',
  path: path('git/changes'),
  summary: 'What has changed in the repositories of the working directory',
  description:
    'Lists the changed files of the repositories in the folder, compared with their branch at the remote or with where they left its default branch; a repository without a remote with its last commit before the conversation began. The list is empty where there is no repository, and has at most 10,000 files.',
  tag,
  params: conversationParams,
  query: z.object({
    path: file.nullish().describe('Folder whose repositories are looked at; absent is the working directory.'),
  }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'file_not_found'],
  reply: z.array(gitChange),
})

export const getConversationDiff = route({
  method: 'get',
  path: path('git/diff'),
  summary: 'A changed file as it was and as it is',
  description:
    'Reads a changed file as it was at the remote, in the branch that changes are compared with, and as it is now.',
  tag,
  params: conversationParams,
  query: z.object({ path: file.describe('Path of the changed file; a relative one begins in the working directory.') }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_too_large', 'not_a_repository'],
  reply: gitDiff,
})

/** `meta.json` is the conversation; `event_NNNNNN_<id>.json` are its events in their order. */
export const downloadConversation = route({
  method: 'get',
  path: path('download'),
  summary: 'The conversation with all its events, as a ZIP archive',
  description: 'Streams the conversation with all its events as a ZIP archive of JSON files. It needs no sandbox.',
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/zip' },
})
