import { z } from 'zod'
import { IN_CONVERSATION, IN_SANDBOX } from '../../contract/failures.ts'
import { dateTime, page, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { conversationParams } from '../conversation/params.ts'

const tag = 'App conversations'
const at = (rest: string) => `/api/v1/app-conversations/{conversation_id}/files${rest}` as const

const place = (of: string) =>
  argumentText(4096).min(1).describe(`${of}; a relative path begins in the working directory.`)
const inSandbox = [...IN_CONVERSATION, ...IN_SANDBOX] as const
const reading = [...inSandbox, 'bad_request', 'file_not_found'] as const

export const fileKind = z.enum(['file', 'directory', 'link', 'other'])
export type FileKind = z.output<typeof fileKind>

export const linkTarget = z.object({
  path: z
    .string()
    .nullable()
    .describe('Where the link leads, as it is written in it; null where the image cannot say.'),
  kind: z
    .enum(['file', 'directory', 'other', 'missing'])
    .describe('What stands there; `missing` when the link leads nowhere.'),
})

export const fileEntry = z.object({
  name: z.string().describe('Name in its folder; bytes that are no UTF-8 stand as `\\xFF`.'),
  path: z.string().nullable().describe('Absolute path; null for a name that is no UTF-8, which no operation takes.'),
  kind: fileKind.describe('What it is; `other` is a pipe, a socket or a device, which is never read.'),
  size_bytes: z
    .number()
    .nullable()
    .describe('Size of a file; null for anything else, and where the image has no stat.'),
  modified_at: dateTime.nullable().describe('When it last changed; null where the image has no stat.'),
  executable: z.boolean().describe('Whether its owner may run it as a program.'),
  ignored: z.boolean().describe('Whether git ignores it; true for `.git` as well.'),
  link: linkTarget.nullable().describe('Where it leads; null for what is no link.'),
})
export type FileEntry = z.output<typeof fileEntry>

export const MAX_FOLDER_PAGE = 1000

/** Folders first, then by name, without regard to case. A list is kept for a moment, so that its next pages belong to it. */
export const listFolder = route({
  method: 'get',
  path: at(''),
  summary: "What is in a folder of the conversation's sandbox",
  description:
    'Lists a folder of the sandbox, folders first, then by name, a page at a time. Links are listed as links. 400 for what is no folder, or may not be read.',
  tag,
  params: conversationParams,
  query: z.object({
    path: place('Folder to list').optional().describe('Folder to list; absent is the working directory.'),
    page_id: z.string().max(20).nullish().describe('`next_page_id` of the page before. Absent is the first page.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_FOLDER_PAGE)
      .default(MAX_FOLDER_PAGE)
      .describe('How many entries a page has at most.'),
  }),
  failures: reading,
  reply: page(fileEntry).extend({
    path: z.string().describe('Absolute path of the folder.'),
    total: z.int().describe('How many entries it has on all pages.'),
    complete: z.boolean().describe('Whether these are all; false for a folder that has more than can be listed.'),
  }),
})

export const MAX_FOUND_FILES = 200

export const findFiles = route({
  method: 'get',
  path: at('/search'),
  summary: 'Files of the working directory whose path has these words',
  description: `Finds files below the working directory whose path has all words of the text, without regard to case; where none has, those that have its letters in their order (\`cmpsr\` finds \`Composer.tsx\`); at most ${MAX_FOUND_FILES}. What ripgrep leaves out by \`.gitignore\` is left out, and so are \`.git\` and \`node_modules\`.`,
  tag,
  params: conversationParams,
  query: z.object({ text: z.string().min(1).max(200).describe('Words that the path has.') }),
  failures: inSandbox,
  reply: z.object({
    paths: z
      .array(z.string())
      .describe(
        'Paths from the working directory, those with the shortest name first; by letters, the best match first.',
      ),
    complete: z.boolean().describe('Whether these are all.'),
  }),
})

export const fileText = z.object({
  path: z.string().describe('Absolute path of the file.'),
  text: z.string().describe('Its text, or the beginning of it.'),
  size_bytes: z.number().describe('Size of the whole file.'),
  version: z
    .string()
    .nullable()
    .describe('SHA-256 of its content, which `PUT` takes; null when only the beginning is here.'),
})
export type FileText = z.output<typeof fileText>

/** Up to 2 MiB as a whole, of a larger one the first 256 KiB, which cannot be saved. */
export const getFileText = route({
  method: 'get',
  path: at('/text'),
  summary: 'A text file, to be edited',
  description:
    'Reads a text file of the sandbox: one of up to 2 MiB as a whole, of a larger one the first 256 KiB without `version`. 415 for what is no text. A link is followed in the sandbox.',
  tag,
  params: conversationParams,
  query: z.object({ path: place('File to read') }),
  failures: [...reading, 'file_not_text'],
  reply: fileText,
})

export const saveFileText = route({
  method: 'put',
  path: at('/text'),
  summary: 'Save a text file, if it is still what was read',
  description:
    'Writes a text file of the sandbox in one step and keeps its mode; folders above it are made. 409 when the file is another than `version` says, so that an edit of the agent is not lost: read it again, then save over its version.',
  tag,
  params: conversationParams,
  body: z.object({
    path: place('File to write').describe('File to write; a relative path begins in the working directory.'),
    text: z.string().max(2_200_000).describe('The whole text, at most 2 MiB as UTF-8.'),
    version: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .describe('The version that is replaced, as it was read; null for a new file.'),
  }),
  failures: [...inSandbox, 'bad_request', 'conflict', 'file_too_large'],
  reply: z.object({
    path: z.string().describe('Absolute path of the file.'),
    size_bytes: z.number().describe('Size of the file now.'),
    version: z.string().describe('The version that it is now.'),
  }),
})

/** Its type comes from a fixed table of extensions, and no browser runs any of it. */
export const getFileContent = route({
  method: 'get',
  path: at('/content'),
  summary: 'The bytes of a file, or a folder as a ZIP archive',
  description:
    'Streams a file of the sandbox as it is, or a folder as a ZIP archive without links. A header `Range` with one range of a file is answered with 206. Always an attachment that no browser opens as a page.',
  tag,
  params: conversationParams,
  query: z.object({ path: place('File or folder to read') }),
  failures: reading,
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/octet-stream', otherReplies: ['application/zip'] },
})

export const uploadFileContent = route({
  method: 'post',
  path: at('/content'),
  summary: 'Write a file as it arrives',
  description:
    'Writes a file of the sandbox from a form with one file of at most 100 MB; it is there in one step, and as a whole. Folders above it are made. 409 when something has its name, unless `existing` says what to do.',
  tag,
  params: conversationParams,
  query: z.object({
    path: place('File to write'),
    existing: z
      .enum(['refuse', 'replace', 'keep_both'])
      .default('refuse')
      .describe('What to do when a file has its name: `keep_both` adds a number to the new name.'),
  }),
  failures: [...inSandbox, 'bad_request', 'conflict'],
  reply: z.object({
    path: z.string().describe('Absolute path of the file.'),
    size_bytes: z.number().describe('Its size.'),
  }),
})

export const createFile = route({
  method: 'post',
  path: at(''),
  summary: 'Make an empty file or a folder',
  description: 'Makes an empty file or a folder, and folders above it. 409 when something has its name.',
  tag,
  params: conversationParams,
  body: z.object({
    path: place('What to make'),
    kind: z.enum(['file', 'directory']).describe('What it becomes.'),
  }),
  failures: [...inSandbox, 'bad_request', 'conflict'],
  reply: z.object({ path: z.string().describe('Absolute path of what was made.') }),
})

export const moveFile = route({
  method: 'post',
  path: at('/move'),
  summary: 'Rename a file or folder, or move it',
  description:
    'Gives a file, a folder or a link another path; nothing is overwritten. 409 when something is there. The folder that it moves to has to be there.',
  tag,
  params: conversationParams,
  body: z.object({ path: place('What to move'), to: place('Its new path') }),
  failures: [...reading, 'conflict'],
  reply: z.object({ path: z.string().describe('Absolute path that it has now.') }),
})

/** The trash is in the sandbox and goes with it; what is in it for a week, or beyond its size, is removed with a later deletion. */
export const deleteFile = route({
  method: 'delete',
  path: at(''),
  summary: 'Delete a file or folder, which can be undone',
  description:
    'Moves a file, a folder or a link into a trash in the sandbox, outside of the working directory. What has been there for a week, and the oldest beyond 200 deletions or 2 GiB, is removed for good with a later deletion.',
  tag,
  params: conversationParams,
  query: z.object({ path: place('What to delete') }),
  failures: reading,
  reply: z.object({ trash_id: z.string().describe('Names the deletion, for `files/restore`.') }),
})

export const restoreFile = route({
  method: 'post',
  path: at('/restore'),
  summary: 'Take a deletion back',
  description:
    'Puts what was deleted back where it was. 409 when something has its place now, 404 when it is not in the trash any more.',
  tag,
  params: conversationParams,
  body: z.object({
    trash_id: z
      .string()
      .regex(/^\d{13}-[0-9a-z]{12}$/)
      .describe('What the deletion answered.'),
  }),
  failures: [...inSandbox, 'file_not_found', 'conflict'],
  reply: z.object({ path: z.string().describe('Absolute path of what is there again.') }),
})

export const trashItem = z.object({
  trash_id: z.string().describe('Names the deletion, for `files/restore`.'),
  path: z.string().describe('Absolute path that it had.'),
  kind: fileKind.describe('What was deleted.'),
  size_bytes: z.number().nullable().describe('Size on disk, with what is in a folder; null where it is not known.'),
  deleted_at: dateTime.describe('When it was deleted.'),
})
export type TrashItem = z.output<typeof trashItem>

export const listTrash = route({
  method: 'get',
  path: at('/trash'),
  summary: 'What was deleted and can be restored',
  description:
    'Lists what a person has deleted with `DELETE …/files`, the last one first. What an agent deletes is in no trash.',
  tag,
  params: conversationParams,
  failures: [...inSandbox],
  reply: z.object({ items: z.array(trashItem).describe('Deletions, 200 at most.') }),
})

export const emptyTrash = route({
  method: 'delete',
  path: at('/trash'),
  summary: 'Remove for good what was deleted',
  description: 'Empties the trash of the conversation. It cannot be undone.',
  tag,
  params: conversationParams,
  failures: [...inSandbox],
  reply: success,
})

/** For programs on this machine that open files of a container, or of the folder that is mounted in it. */
export const getFilePlace = route({
  method: 'get',
  path: at('/place'),
  summary: 'Where an editor on this machine finds a file or folder',
  description:
    'Names the container with the path in it and, when a folder of this computer is worked on, the path there. A path that leads out of that folder through a link has none.',
  tag,
  params: conversationParams,
  query: z.object({
    path: place('File or folder').optional().describe('File or folder; absent is the working directory.'),
  }),
  failures: reading,
  reply: z.object({
    container: z.string().describe('Name of the container.'),
    path: z.string().describe('Absolute path in the container.'),
    kind: z.enum(['file', 'directory']).describe('What it is.'),
    host_path: z.string().nullable().describe('Path on this computer; null for what is in the sandbox alone.'),
  }),
})
