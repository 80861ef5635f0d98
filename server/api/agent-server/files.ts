import { z } from 'zod'
import { IN_KEYS_SANDBOX } from '../contract/failures.ts'
import { page, success } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { argumentText } from '../event/argument-text.ts'
import { conversationParams } from '../v1/conversation/params.ts'

const tag = 'Files'
const path = z.string().min(1).max(4096).describe('Absolute path in the sandbox; 400 for a relative one.')
const byQuery = z.object({ path })
/** The older shape: the whole path, URL-encoded, as the last part of the URL. */
const byPath = z.object({
  path: path.describe('Absolute path in the sandbox, URL-encoded as a whole; 400 for a relative one.'),
})

/** A form with one file in the field `file`, at most 100 MB; `path` is absolute and names the file. */
export const uploadFile = route({
  method: 'post',
  path: '/api/file/upload',
  summary: 'Write a file of the sandbox',
  description:
    'Writes a file of the sandbox from a form with one file, of at most 100 MB, in the field `file`. A file that is there is replaced.',
  tag,
  query: byQuery,
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: success,
})
export const uploadFileByPath = route({
  method: 'post',
  path: '/api/file/upload/{path}',
  summary: 'Write a file of the sandbox',
  description:
    'Writes a file of the sandbox from a form with one file, of at most 100 MB, in the field `file`; the older shape, with the path in the address.',
  tag,
  params: byPath,
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: success,
})

/** The reply is the file's bytes. */
export const downloadFile = route({
  method: 'get',
  path: '/api/file/download',
  summary: 'Read a file of the sandbox',
  description: 'Streams a file of the sandbox as it is. 400 for a folder.',
  tag,
  query: byQuery,
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/octet-stream' },
})
export const downloadFileByPath = route({
  method: 'get',
  path: '/api/file/download/{path}',
  summary: 'Read a file of the sandbox',
  description:
    'Streams a file of the sandbox as it is; the older shape, with the path in the address. 400 for a folder.',
  tag,
  params: byPath,
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/octet-stream' },
})

export const createDirectory = route({
  method: 'post',
  path: '/api/file/create_directory',
  summary: 'Make a folder and those above it',
  description: 'Makes a folder of the sandbox and those above it. Nothing happens when it is there.',
  tag,
  query: byQuery,
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: success,
})

const place = z.object({
  label: z.string().describe('Name of the folder for people.'),
  path: z.string().describe('Absolute path of the folder in the sandbox.'),
})
/** Like the app's own download of a conversation. */
export const downloadTrajectory = route({
  method: 'get',
  path: '/api/file/download-trajectory/{conversation_id}',
  summary: 'A conversation with all its events, as a ZIP archive',
  description: 'Streams a conversation with all its events as a ZIP archive of JSON files.',
  tag,
  params: conversationParams,
  failures: ['invalid_id', 'conversation_not_found'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/zip' },
})

export const getHome = route({
  method: 'get',
  path: '/api/file/home',
  summary: 'Where to begin to look for files',
  description: 'Lists folders of the sandbox where a person may begin to look for files.',
  tag,
  query: z.object({
    include_hidden: z.boolean().default(false).describe('Whether folders whose name begins with a dot are listed.'),
  }),
  failures: IN_KEYS_SANDBOX,
  reply: z.object({
    home: z.string().describe("Home folder of the sandbox's user."),
    favorites: z.array(place).describe('The working directory and the home folder.'),
    locations: z.array(place).describe("The root of the sandbox's file system."),
  }),
})

export const searchSubdirectories = route({
  method: 'get',
  path: '/api/file/search_subdirs',
  summary: 'The folders in a folder',
  description: 'Lists the folders in a folder of the sandbox by name, a page at a time.',
  tag,
  query: z.object({
    path,
    page_id: z
      .string()
      .nullish()
      .describe('Name of the first folder of the page: `next_page_id` of the page before. Absent is the first page.'),
    limit: z.int().min(1).max(100).default(100).describe('How many folders a page has at most.'),
    include_hidden: z.boolean().default(false).describe('Whether folders whose name begins with a dot are listed.'),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: page(
    z.object({
      name: z.string().describe('Name of the folder.'),
      path: z.string().describe('Absolute path of the folder in the sandbox.'),
    }),
  ),
})

const pattern = argumentText(200).min(1)

/** `git-delta` is a patch of what differs from `base_ref`, or from where the repository began; `tar.gz` is all of it. */
export const archiveDirectory = route({
  method: 'get',
  path: '/api/file/archive',
  summary: 'A folder of the sandbox, as a whole or as what has changed in it',
  description:
    'Streams a folder of the sandbox: as a patch of what has changed, or as a compressed archive of all of it. The header `X-Archive-Format` says which, `X-Archive-Base-Ref` what it was compared with.',
  tag,
  query: z.object({
    path,
    format: z
      .enum(['git-delta', 'tar.gz'])
      .default('git-delta')
      .describe('`git-delta` is a patch of what differs from `base_ref`; `tar.gz` is the whole folder.'),
    base_ref: argumentText(200)
      .nullish()
      .describe('Commit, tag or branch that `git-delta` compares with; absent is where the repository began.'),
    use_default_excludes: z
      .boolean()
      .default(true)
      .describe('Whether what can be made again is left out: packages, caches, build output.'),
    exclude: z.array(pattern).max(50).optional().describe('Globs of further names to leave out.'),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'not_a_repository'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'text/x-patch', otherReplies: ['application/gzip'] },
})
