import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { conversationParams } from './params.ts'

const tag = 'App conversations'
const path = (rest: string) => `/api/v1/app-conversations/{conversation_id}/review/${rest}` as const
const file = argumentText(4096).min(1)

export const reviewBase = z.enum(['start', 'last_commit', 'unstaged', 'staged', 'default_branch', 'commit'])
export type ReviewBase = z.output<typeof reviewBase>

const compared = {
  base: reviewBase
    .default('start')
    .describe(
      'What the files are compared with: `start` is where the conversation began, as for `git/changes`; `last_commit` is HEAD; `unstaged` is the index; `default_branch` is where the branch left the default branch of the remote, else `main` or `master`; `commit` is the one that is named. `staged` compares the index with HEAD.',
    ),
  commit: argumentText(200).nullish().describe('Commit, branch or tag that `commit` compares with; unused otherwise.'),
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
