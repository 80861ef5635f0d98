import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../../contract/failures.ts'
import { route } from '../../../contract/route.ts'
import { conversationParams } from '../params.ts'

const path = (rest: string) => `/api/v1/app-conversations/{conversation_id}/folder/${rest}` as const
const tag = 'Folders'
const failures = [...IN_CONVERSATION, 'bad_request', 'file_not_found'] as const

export const folderFile = z.object({
  path: z.string().describe('Path of the file, from the folder on, with slashes.'),
  status: z.enum(['ADDED', 'UPDATED', 'DELETED']).describe('What the conversation did to it.'),
  state: z
    .enum(['fits', 'conflict', 'refused'])
    .describe(
      '`fits`: it is in the folder as it was copied. `conflict`: it has changed there too, so a choice is needed. `refused`: it is never written; `reason` says why.',
    ),
  reason: z.string().nullable().describe('Why it conflicts or is refused; null for one that fits.'),
  added: z
    .int()
    .nullable()
    .describe('Lines that are added to the file in the folder; null for a binary or refused file.'),
  removed: z.int().nullable().describe('Lines that are removed from it; null for a binary or refused file.'),
})
export type FolderFile = z.output<typeof folderFile>

export const folderPreview = z.object({
  path: z.string().describe('Path of the folder on this computer.'),
  files: z.array(folderFile).describe('Files that differ from the folder: conflicts first, then by path.'),
  undoable: z.boolean().describe('Whether an earlier apply can be undone.'),
  branch_name: z
    .string()
    .nullable()
    .describe('What a branch of these changes would be called; null for a folder that is no git repository.'),
})
export type FolderPreview = z.output<typeof folderPreview>

const choice = z.object({
  path: z.string().max(4096).describe('Path of a file that conflicts.'),
  choice: z
    .enum(['keep_mine', 'take_theirs'])
    .describe("`keep_mine` leaves the folder's file as it is, `take_theirs` replaces it with the conversation's."),
})

export const folderApplied = z.object({
  id: z.string().describe('Id of this apply; empty when nothing was written.'),
  written: z.array(z.string()).describe('Files that were written or removed.'),
  kept: z.array(z.string()).describe('Files that conflict, and stayed as they are by choice.'),
  refused: z.array(z.string()).describe('Files that are never written; the preview says why.'),
})
export type FolderApplied = z.output<typeof folderApplied>

export const folderUndone = z.object({
  id: z.string().describe('Id of the apply that was undone.'),
  restored: z.array(z.string()).describe('Files that are as they were before it.'),
})
export type FolderUndone = z.output<typeof folderUndone>

export const previewFolderApply = route({
  method: 'post',
  path: path('preview'),
  summary: "What applying a conversation's changes to its folder would do",
  description:
    "Compares the files of the conversation's sandbox with the folder of this computer that was copied into it. A file that changed in both is a conflict. Nothing is written, and nothing of the folder is executed. It needs the API's own key; a sandbox's key does not open it.",
  tag,
  params: conversationParams,
  failures: [...failures, ...IN_SANDBOX],
  reply: folderPreview,
})

export const applyToFolder = route({
  method: 'post',
  path: path('apply'),
  summary: "Apply a conversation's changes to its folder",
  description:
    'Writes the changed files into the folder that was copied, as uncommitted changes. 409 names the conflicts that have no choice, and then nothing is written. What was there is kept until ten later applies, so that it can be undone.',
  tag,
  params: conversationParams,
  body: z.object({
    choices: z.array(choice).max(10_000).default([]).describe('What happens to each file that conflicts.'),
  }),
  failures: [...failures, ...IN_SANDBOX, 'conflict'],
  reply: folderApplied,
})

export const undoFolderApply = route({
  method: 'post',
  path: path('undo'),
  summary: 'Undo the last apply',
  description:
    'Restores the files that the last apply replaced. 409 names those that have changed since, and then nothing is restored. It needs no sandbox.',
  tag,
  params: conversationParams,
  query: z.object({
    id: z
      .string()
      .optional()
      .describe('Id of the apply that is meant: 400 when it is not the last one any more. Absent is the last one.'),
  }),
  failures: [...failures, 'conflict'],
  reply: folderUndone,
})
