import { z } from 'zod'
import { IN_KEYS_SANDBOX } from './failures.ts'
import { page, success } from './page.ts'
import { route } from './route.ts'

const tag = 'Files'
const path = z.string().min(1).max(4096)
const byQuery = z.object({ path })
/** The older shape: the whole path, URL-encoded, as the last part of the URL. */
const byPath = z.object({ path: path })

/** A form with one file in the field `file`, at most 100 MB; `path` is absolute and names the file. */
export const uploadFile = route({
  method: 'post',
  path: '/api/file/upload',
  summary: 'Write a file of the sandbox',
  tag,
  query: byQuery,
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: success,
})
export const uploadFileByPath = route({
  method: 'post',
  path: '/api/file/upload/{path}',
  summary: 'Write a file of the sandbox',
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
  tag,
  query: byQuery,
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.unknown(),
})
export const downloadFileByPath = route({
  method: 'get',
  path: '/api/file/download/{path}',
  summary: 'Read a file of the sandbox',
  tag,
  params: byPath,
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.unknown(),
})

export const createDirectory = route({
  method: 'post',
  path: '/api/file/create_directory',
  summary: 'Make a folder and those above it',
  tag,
  query: byQuery,
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: success,
})

const place = z.object({ label: z.string(), path: z.string() })
/** Like the app's own download of a conversation. */
export const downloadTrajectory = route({
  method: 'get',
  path: '/api/file/download-trajectory/{conversation_id}',
  summary: 'A conversation with all its events, as a ZIP archive',
  tag,
  params: z.object({ conversation_id: z.string() }),
  failures: ['invalid_id', 'conversation_not_found'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/zip' },
})

export const getHome = route({
  method: 'get',
  path: '/api/file/home',
  summary: 'Where to begin to look for files',
  tag,
  query: z.object({ include_hidden: z.boolean().default(false) }),
  failures: IN_KEYS_SANDBOX,
  reply: z.object({ home: z.string(), favorites: z.array(place), locations: z.array(place) }),
})

export const searchSubdirectories = route({
  method: 'get',
  path: '/api/file/search_subdirs',
  summary: 'The folders in a folder; a page_id is the name of the first one of the page',
  tag,
  query: z.object({
    path,
    page_id: z.string().nullish(),
    limit: z.int().min(1).max(100).default(100),
    include_hidden: z.boolean().default(false),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: page(z.object({ name: z.string(), path: z.string() })),
})

const pattern = z.string().min(1).max(200)

/** `git-delta` is a patch of what differs from `base_ref`, or from where the repository began; `tar.gz` is all of it. */
export const archiveDirectory = route({
  method: 'get',
  path: '/api/file/archive',
  summary: 'A folder of the sandbox, as a whole or as what has changed in it',
  tag,
  query: z.object({
    path,
    format: z.enum(['git-delta', 'tar.gz']).default('git-delta'),
    base_ref: z.string().max(200).nullish(),
    /** Leaves out what can be made again: packages, caches, build output. */
    use_default_excludes: z.boolean().default(true),
    exclude: z.array(pattern).max(50).optional(),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'not_a_repository'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/octet-stream' },
})
