import { z } from 'zod'
import { IN_CONVERSATION, IN_RUNTIME } from './failures.ts'
import { route } from './route.ts'

const params = z.object({ conversation_id: z.string() })
const tag = 'Workspace'

export const listFiles = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/list-files',
  summary: 'Names in a folder of the workspace, folders first and with a slash',
  tag,
  params,
  query: z.object({ path: z.string().max(4096).nullish() }),
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.array(z.string()),
})

export const selectFile = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/select-file',
  summary: 'The text of a file',
  tag,
  params,
  query: z.object({ file: z.string().min(1).max(4096) }),
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'bad_request', 'file_not_found', 'file_too_large', 'file_not_text'],
  reply: z.object({ code: z.string() }),
})

export const zipDirectory = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/zip-directory',
  summary: 'The whole workspace as a ZIP archive',
  tag,
  params,
  media: { reply: 'application/zip' },
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.string().meta({ format: 'binary' }),
})

/** A form with one or more parts named `files`. */
export const uploadForm = z.object({ files: z.array(z.string().meta({ format: 'binary' })) })

export const uploadFiles = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/upload-files',
  summary: 'Write files into the workspace; at most 100 MB in all',
  tag,
  params,
  media: { body: 'multipart/form-data' },
  body: uploadForm,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'bad_request'],
  reply: z.object({
    uploaded_files: z.array(z.string()),
    skipped_files: z.array(z.object({ name: z.string(), reason: z.string() })),
  }),
})

export const getGitChanges = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/git/changes',
  summary: "Changed files of the workspace's repositories, compared with their remotes",
  tag,
  params,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'not_a_repository'],
  reply: z.array(z.object({ status: z.enum(['M', 'A', 'D', 'U']), path: z.string() })),
})

export const getGitDiff = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/git/diff',
  summary: 'A file as it was and as it is; at most 1 MiB each',
  tag,
  params,
  query: z.object({ path: z.string().min(1).max(4096) }),
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'bad_request', 'file_too_large', 'not_a_repository'],
  reply: z.object({ modified: z.string(), original: z.string() }),
})

export const getMicroagents = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/microagents',
  summary: "The repository's instructions for agents",
  tag,
  params,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.object({
    microagents: z.array(
      z.object({
        name: z.string(),
        type: z.enum(['repo', 'knowledge']),
        content: z.string(),
        triggers: z.array(z.string()),
        inputs: z.array(z.object({ name: z.string(), description: z.string() })),
        tools: z.array(z.string()),
      }),
    ),
  }),
})

export const getWebHosts = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/web-hosts',
  summary: "Addresses of the sandbox's own web servers, with their ports",
  tag,
  params,
  failures: [...IN_CONVERSATION, { code: 'sandbox_not_found', status: 404 }],
  reply: z.object({ hosts: z.record(z.string(), z.int()) }),
})

/** null: a sandbox has no editor in it, since nothing is injected into its image. */
export const getVscodeUrl = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/vscode-url',
  summary: 'Address of an editor in the sandbox; null when there is none',
  tag,
  params,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.object({ vscode_url: z.string().nullable() }),
})
