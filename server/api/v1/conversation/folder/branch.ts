import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../../contract/failures.ts'
import { route } from '../../../contract/route.ts'
import { conversationParams } from '../params.ts'

const tag = 'Folders'
const failures = [...IN_CONVERSATION, 'bad_request', 'file_not_found', 'conflict'] as const

export const folderBranch = z.object({
  branch: z.string().describe('Name of the new branch.'),
  commit: z.string().describe('Its last commit, by its SHA-1 name.'),
  files: z.array(z.string()).describe('Files that the conversation changed in it.'),
  refused: z.array(z.string()).describe('Files that are never written, such as links; they are as they were copied.'),
})
export type FolderBranch = z.output<typeof folderBranch>

export const folderBranchUndone = z.object({
  branch: z.string().describe('Name of the branch that is gone.'),
})
export type FolderBranchUndone = z.output<typeof folderBranchUndone>

export const createFolderBranch = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/folder/branch',
  summary: "Put a conversation's changes on a new branch of its folder",
  description:
    "Adds a branch to the repository of the folder that was copied: one commit with all that the conversation changed, on top of the commit that was copied, and below it a commit of what was not committed then. The folder's files, its index and what is checked out stay as they are, and nothing of the folder is executed, no hook either. 409 for a name that is taken.",
  tag,
  params: conversationParams,
  body: z.object({
    name: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe("Name of the branch. Absent is one of the conversation's title, as the preview gives it."),
    message: z
      .string()
      .min(1)
      .max(10_000)
      .nullish()
      .describe("Message of the commit. Absent is the conversation's title."),
  }),
  failures: [...failures, ...IN_SANDBOX],
  reply: folderBranch,
})

export const undoFolderBranch = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/folder/branch/undo',
  summary: 'Remove a branch that was made of the changes',
  description:
    'Removes it from the repository of the folder. 409 when it is checked out or has other commits by now. It needs no sandbox.',
  tag,
  params: conversationParams,
  body: z.object({ branch: z.string().max(400).describe('Name of the branch.') }),
  failures,
  reply: folderBranchUndone,
})
