import { z } from 'zod'
import { IN_OWN_CONVERSATION, IN_SANDBOX, IN_VAULT } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { gitProvider } from '../conversation/conversations.ts'
import { conversationParams } from '../conversation/params.ts'

const path = (rest: string) => `/api/v1/app-conversations/{conversation_id}/git/${rest}` as const
const tag = 'Git'
const failures = [...IN_OWN_CONVERSATION, ...IN_SANDBOX, 'not_a_repository'] as const

const MAX_MESSAGE = 20_000
const MAX_PATHS = 1000

const fileState = z.enum(['ADDED', 'UPDATED', 'DELETED', 'CONFLICT'])

export const workingFile = z.object({
  path: z.string().describe('Path of the file, from the root of the repository on.'),
  staged: fileState.nullable().describe('How the index differs from the last commit; null when it does not.'),
  unstaged: fileState
    .nullable()
    .describe('How the file differs from the index; null when it does not. A file that git does not know is ADDED.'),
})
export type WorkingFile = z.output<typeof workingFile>

export const gitRemote = z.object({
  name: z.string().describe('Name of the remote: that of the branch, otherwise origin.'),
  url: z.string().describe('Its address as it is configured in the repository, without a user name or password.'),
  git_provider: gitProvider
    .nullable()
    .describe('Provider of the stored token that is used there; null when no token is stored for this address.'),
})
export type GitRemote = z.output<typeof gitRemote>

export const gitState = z.object({
  branch: z.string().nullable().describe('The branch that is checked out; null when none is.'),
  head: z.string().nullable().describe('Object name of the last commit; null before the first one.'),
  message: z.string().nullable().describe('Message of the last commit; null before the first one.'),
  amendable: z
    .boolean()
    .describe('Whether the last commit can be replaced: it was made in the conversation, and no remote has it.'),
  remote: gitRemote.nullable().describe('Where a push goes; null when the repository has no remote.'),
  upstream: z
    .string()
    .nullable()
    .describe('The branch of the same name at the remote, as it was last seen; null when none was.'),
  default_branch: z.string().nullable().describe('Default branch of the remote, as it was last seen.'),
  ahead: z.int().describe('Commits that a push would send.'),
  behind: z.int().describe('Commits that the upstream has and the branch has not, as it was last seen.'),
  push_problem: z.string().nullable().describe('Why nothing can be pushed now, and what to do; null when it can.'),
  identity: z
    .object({
      name: z.string().describe('Name of the author.'),
      email: z.string().describe('E-mail address of the author.'),
    })
    .describe('Who the next commit is by, from the settings.'),
  files: z.array(workingFile).describe('Files that are not committed, by path; at most 1000.'),
  more_files: z.boolean().describe('Whether there are more of them than are listed.'),
})
export type GitState = z.output<typeof gitState>

/** Which files a commit is made of. */
export const commitFiles = {
  scope: z
    .enum(['all', 'staged', 'paths'])
    .default('all')
    .describe('`all`: every change, new files included. `staged`: the index as it is. `paths`: the files in `paths`.'),
  paths: z
    .array(argumentText(4096).min(1))
    .max(MAX_PATHS)
    .default([])
    .describe('Files of the repository to commit as they are now, for the scope `paths`.'),
}

export const getGitState = route({
  method: 'get',
  path: path('state'),
  summary: "State of a conversation's repository",
  description:
    "Reads the branch, the remote and the files that are not committed, of the repository in the conversation's working directory. The remote is not asked: what it has is as of the last fetch or push.",
  tag,
  params: conversationParams,
  failures: [...failures, 'git_refused'],
  reply: gitState,
})

export const commitChanges = route({
  method: 'post',
  path: path('commits'),
  summary: "Commit changes in a conversation's repository",
  description:
    "Commits in the sandbox, by the identity of the settings; the repository's hooks run there. 409 when there is nothing to commit, while the agent works, and with git's own words when git or a hook refuses.",
  tag,
  params: conversationParams,
  body: z.object({
    message: argumentText(MAX_MESSAGE)
      .refine(text => /[^\s\p{C}]/u.test(text), 'a commit needs a message')
      .nullish()
      .describe(
        'Message of the commit: a subject, then an empty line and more where it needs it. Absent keeps that of the commit that is amended.',
      ),
    ...commitFiles,
    amend: z
      .boolean()
      .default(false)
      .describe('Replaces the last commit instead. 409 for one that is not `amendable`.'),
    new_branch: argumentText(200)
      .nullish()
      .describe('Name of a new branch, which is made and checked out first. 409 when there is one of the name.'),
  }),
  failures: [...failures, 'bad_request', 'conflict', 'conversation_running', 'git_refused'],
  reply: z.object({
    sha: z.string().describe('Object name of the commit.'),
    branch: z.string().nullable().describe('The branch that it is on; null when none is checked out.'),
    files: z.int().describe('How many files it changes.'),
  }),
})

export const pushBranch = route({
  method: 'post',
  path: path('push'),
  summary: "Push the branch of a conversation's repository",
  description:
    "Pushes the branch to the branch of the same name, never by force. The sandbox packs the commits, and the service sends them with the stored token of the remote's provider, so that neither the token nor the configuration and the hooks of the repository have a part in the other. What is pushed is named in the request: 409 when it is not so any more. 409 too, with the remote's own words, when the remote refuses.",
  tag,
  params: conversationParams,
  body: z.object({
    url: z.string().max(4096).describe('Address of the remote, as the state of the repository shows it.'),
    branch: argumentText(200).describe('The branch that is checked out.'),
    sha: z.string().max(64).describe('The last commit of the branch.'),
  }),
  failures: [
    ...failures,
    ...IN_VAULT,
    'conflict',
    'git_refused',
    'provider_token_missing',
    'provider_token_invalid',
    'provider_unavailable',
  ],
  reply: z.object({
    remote: z.string().describe('Name of the remote.'),
    branch: z.string().describe('The branch there.'),
    sha: z.string().describe('Its commit now.'),
  }),
})

export const downloadPatch = route({
  method: 'get',
  path: path('patch'),
  summary: 'What a conversation has changed, as a patch',
  description:
    'Streams what differs from where the work began, committed or not and with new and binary files, as one patch that `git apply` takes. It needs neither a network nor a token.',
  tag,
  params: conversationParams,
  failures,
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'text/x-patch' },
})

export const downloadBundle = route({
  method: 'get',
  path: path('bundle'),
  summary: 'What a conversation has committed, as a bundle',
  description:
    'Streams the commits since the work began as one file that `git fetch` and `git pull` take like a remote, with authors, messages and object names as they are. It needs neither a network nor a token. 409 when there is no such commit.',
  tag,
  params: conversationParams,
  failures: [...failures, 'conflict', 'git_refused'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/x-git-bundle' },
})
