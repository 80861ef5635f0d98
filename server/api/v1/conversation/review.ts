import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { commentAnswer, MAX_REVIEW_COMMENTS, reviewComment } from '../../event/review-comments.ts'
import { conversationParams } from './params.ts'

const tag = 'App conversations'
const path = (rest: string) => `/api/v1/app-conversations/{conversation_id}/review/${rest}` as const
const file = argumentText(4096).min(1)

export const reviewBase = z.enum([
  'start',
  'last_turn',
  'last_commit',
  'unstaged',
  'staged',
  'default_branch',
  'commit',
  'checkpoint',
])
export type ReviewBase = z.output<typeof reviewBase>

const compared = {
  base: reviewBase
    .default('start')
    .describe(
      'What the files are compared with: `start` is where the conversation began, as for `git/changes`; `last_turn` is what the files were when the agent was last asked; `last_commit` is HEAD; `unstaged` is the index; `default_branch` is where the branch left the default branch of the remote, else `main` or `master`; `commit` is the one that is named, `checkpoint` the one with the given id. `staged` compares the index with HEAD.',
    ),
  commit: argumentText(200).nullish().describe('Commit, branch or tag that `commit` compares with; unused otherwise.'),
  checkpoint: argumentText(20)
    .nullish()
    .describe('Id of the checkpoint that `checkpoint` compares with; unused otherwise.'),
}

const MODE = 'as git writes it: `100644`, `100755` for a program, `120000` for a link, `160000` for a submodule'

export const reviewFile = z.object({
  path: z.string().describe('Path of the file from the working directory; that of a deleted one is where it was.'),
  old_path: z.string().nullable().describe('Where a moved file was before; null for any other.'),
  status: z.enum(['MOVED', 'ADDED', 'DELETED', 'UPDATED']).describe('What has happened to the file.'),
  additions: z.int().nullable().describe('Lines that were added; null for a binary file, a large one and a submodule.'),
  deletions: z.int().nullable().describe('Lines that were removed; null like `additions`.'),
  binary: z.boolean().describe('Whether git takes it for binary, which it does for every file above 5 MiB.'),
  submodule: z.boolean().describe('Whether it is a submodule, or was one.'),
  old_mode: z.string().nullable().describe(`Mode before, ${MODE}; null for a new file.`),
  new_mode: z.string().nullable().describe(`Mode now, ${MODE}; null for a deleted file.`),
})
export type ReviewFile = z.output<typeof reviewFile>

export const reviewFiles = z.object({
  files: z.array(reviewFile).describe('The changed files by path.'),
  complete: z.boolean().describe('Whether these are all; false when there are more than are listed.'),
  version: z
    .string()
    .nullable()
    .describe(
      'Names the files as they are now, for the restoring of a checkpoint; null for a base that is none, and while the agent works.',
    ),
})
export type ReviewFiles = z.output<typeof reviewFiles>

const image = z.object({
  media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']).describe('Type of the image.'),
  data: z.string().describe('Its bytes in Base64.'),
})

const side = z.object({
  text: z.string().nullable().describe('Its text; null for what is not text.'),
  image: image.nullable().describe('The image that it is; null for any other file.'),
})
export type ReviewSide = z.output<typeof side>

export const reviewContent = z.object({
  original: side.nullable().describe('The file before; null when there was none.'),
  modified: side.nullable().describe('The file now; null when there is none.'),
  version: z.string().describe('Names these two contents; a revert takes it to be sure that it reverts what was seen.'),
})
export type ReviewContent = z.output<typeof reviewContent>

/** At most 10,000 files in each repository; the list is empty where there is no repository. */
export const listReviewFiles = route({
  method: 'get',
  path: path('files'),
  summary: 'The changed files with their counts of lines, compared with a chosen base',
  description:
    'Lists what differs from the base in the repositories in the folder and directly under it, new files included, with additions and deletions, moves, modes, binary files and submodules. The index and the files stay as they are. The list is empty where there is no repository. 400 for a base that no repository has.',
  tag,
  params: conversationParams,
  query: z.object({
    path: file.nullish().describe('Folder whose repositories are looked at; absent is the working directory.'),
    ...compared,
  }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_not_found'],
  reply: reviewFiles,
})

/** Text of at most 1 MiB and images of at most 4 MiB. */
export const getReviewFile = route({
  method: 'get',
  path: path('file'),
  summary: 'A changed file before and now, compared with a chosen base',
  description:
    'Reads both sides of a changed file: text of at most 1 MiB, or an image (PNG, JPEG, GIF, WebP) of at most 4 MiB. 413 for what is larger.',
  tag,
  params: conversationParams,
  query: z.object({
    path: file.describe('Path of the changed file; a relative one begins in the working directory.'),
    old_path: file.nullish().describe('Where it was before, for a file that moved.'),
    ...compared,
  }),
  failures: [...IN_CONVERSATION, ...IN_SANDBOX, 'bad_request', 'file_too_large', 'not_a_repository'],
  reply: reviewContent,
})

const line = z.int().min(0).max(10_000_000)
const object = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)

export const reviewHunk = z.object({
  original_start: line.min(1).describe('First line of the hunk before the change; lines are counted from 1.'),
  original_lines: line.describe('Lines of the hunk before the change.'),
  modified_start: line.min(1).describe('First line of the hunk now.'),
  modified_lines: line.describe('Lines of the hunk now.'),
})
export type ReviewHunk = z.output<typeof reviewHunk>

export const revertedPath = z.object({
  path: argumentText(4096).min(1).describe('Absolute path of the file in the sandbox.'),
  object: object
    .nullable()
    .describe('Git object with what the file held before the revert; null when there was no file.'),
  mode: z.enum(['100644', '100755']).nullable().describe('Its mode before the revert; null when there was no file.'),
  now: object.nullable().describe('Git object of what the revert left there; null when there is no file.'),
})
export type RevertedPath = z.output<typeof revertedPath>

export const revertedFile = z.object({
  undo: z
    .array(revertedPath)
    .describe('What puts back what the revert took away, for `review/revert/undo`; both places of a moved file.'),
})
export type RevertedFile = z.output<typeof revertedFile>

const changing = [
  ...IN_CONVERSATION,
  ...IN_SANDBOX,
  'bad_request',
  'not_a_repository',
  'conversation_running',
  'conflict',
] as const

/** What is taken away stays in the repository as objects that git removes after about two weeks. */
export const revertReviewFile = route({
  method: 'post',
  path: path('revert'),
  summary: 'Put a changed file, or one hunk of it, back as it was',
  description:
    'Puts a file of the sandbox back as it was at the base: a new one is removed, a deleted one comes back, a moved one moves back. With a hunk only those lines are. The index stays as it is. The reply names what puts it back. 409 while the agent works, and when either side has changed since it was read.',
  tag,
  params: conversationParams,
  body: z.object({
    path: file.describe('Path of the changed file; a relative one begins in the working directory.'),
    old_path: file.nullish().describe('Where it was before, for a file that moved.'),
    ...compared,
    version: z.string().max(200).describe('The version of both sides that was seen, as `review/file` gave it.'),
    hunk: reviewHunk.nullish().describe('The only lines to put back; absent for the whole file.'),
  }),
  failures: [...changing, 'file_too_large'],
  reply: revertedFile,
})

/** Nothing is written when one of the files has changed since. */
export const undoReviewRevert = route({
  method: 'post',
  path: path('revert/undo'),
  summary: 'Take a revert back',
  description:
    'Puts back what a revert took away. 409 while the agent works, and when a file has changed since the revert; 404 when git has removed what was kept.',
  tag,
  params: conversationParams,
  body: z.object({ undo: z.array(revertedPath).min(1).max(2).describe('What the revert answered.') }),
  failures: [...changing, 'file_not_found'],
  reply: z.object({ restored: z.array(z.string()).describe('Paths that are as they were before the revert.') }),
})

/** Files stay as they are. */
export const stageReviewFile = route({
  method: 'post',
  path: path('stage'),
  summary: 'Stage a changed file, or one hunk of it, or take it back',
  description:
    'Changes the index of the repository alone. For the base `unstaged` the change goes into the index, for a commit with the scope `staged`; for the base `staged` it is taken out. 409 while the agent works, when either side has changed since it was read, and with the words of git when it refuses.',
  tag,
  params: conversationParams,
  body: z.object({
    path: file.describe('Path of the changed file; a relative one begins in the working directory.'),
    old_path: file.nullish().describe('Where it was before, for a file that moved.'),
    base: z.enum(['unstaged', 'staged']).describe('What the file was compared with when it was read.'),
    version: z.string().max(200).describe('The version of both sides that was seen, as `review/file` gave it.'),
    hunk: reviewHunk.nullish().describe('The only lines to stage or take back; absent for the whole file.'),
  }),
  failures: [...changing, 'file_too_large', 'git_refused'],
  reply: z.object({ success: z.literal(true).describe('Always true.') }),
})

const sentComment = reviewComment.extend({
  number: z.int().min(1).describe('Number by which the agent answers; it means the same comment for ever.'),
  sent_at: dateTime.describe('When it was sent.'),
  answer: commentAnswer
    .extend({ answered_at: dateTime.describe('When the agent answered.') })
    .nullable()
    .describe('The last answer of the agent; null while there is none.'),
})

/** They are read from the events of the conversation, so those of a branch that was left are not among them. */
export const listReviewComments = route({
  method: 'get',
  path: path('comments'),
  summary: 'The comments of its reviews with the answers of the agent',
  description:
    'Lists every comment that was sent with `review/comments`, by its number, with what the agent answered last. Lines are those of the moment at which the comment was written.',
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({ items: z.array(sentComment).describe('The comments by number.') }),
})

/** One message, which the agent reads as text; each comment gets a number. */
export const sendReviewComments = route({
  method: 'post',
  path: path('comments'),
  summary: 'Send comments on lines of the changes to the agent as one review',
  description: `Adds one message with all comments to the conversation; the agent answers each with \`answer_review_comment\`, and \`GET\` lists the answers. At most ${MAX_REVIEW_COMMENTS} at once.`,
  tag,
  params: conversationParams,
  body: z.object({
    comments: z
      .array(reviewComment)
      .min(1)
      .max(MAX_REVIEW_COMMENTS)
      .describe('The comments in the order of the message.'),
    run: z.boolean().default(true).describe('Whether the agent starts to work if it does not already.'),
  }),
  failures: IN_OWN_CONVERSATION,
  reply: z.object({ numbers: z.array(z.int()).describe('Number of each comment, in the order of the request.') }),
})
