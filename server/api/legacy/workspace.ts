import { z } from 'zod'
import { IN_CONVERSATION, IN_RUNTIME } from '../contract/failures.ts'
import { route } from '../contract/route.ts'
import { argumentText } from '../event/argument-text.ts'
import { conversationParams } from '../v1/conversation/params.ts'

const tag = 'Workspace'

export const listFiles = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/list-files',
  summary: 'Names in a folder of the workspace, folders first and with a slash',
  description:
    'Lists one folder of the workspace: folders first, with a slash at their end, then files. 404 while the sandbox does not run.',
  tag,
  params: conversationParams,
  query: z.object({
    path: argumentText(4096).nullish().describe('Folder from the working directory; absent is the working directory.'),
  }),
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.array(z.string()),
})

export const selectFile = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/select-file',
  summary: 'The text of a file',
  description: 'Reads a text file of the workspace. 415 for one that is no text, 413 for one that is too large.',
  tag,
  params: conversationParams,
  query: z.object({ file: argumentText(4096).min(1).describe('Path of the file from the working directory.') }),
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'bad_request', 'file_not_found', 'file_too_large', 'file_not_text'],
  reply: z.object({ code: z.string().describe('Text of the file.') }),
})

export const zipDirectory = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/zip-directory',
  summary: 'The whole workspace as a ZIP archive',
  description: 'Streams the whole workspace as a ZIP archive. 404 while the sandbox does not run.',
  tag,
  params: conversationParams,
  media: { reply: 'application/zip' },
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.string().meta({ format: 'binary' }),
})

/** A form with one or more parts named `files`. */
export const uploadForm = z.object({
  files: z.array(z.string().meta({ format: 'binary' })).describe('Files to write, under their own names.'),
})

export const uploadFiles = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/upload-files',
  summary: 'Write files into the workspace; at most 100 MB in all',
  description:
    'Writes files into the workspace under their own names, from a form with fields named `files`; at most 100 MB in all. A file that cannot be written is named in the reply, with the reason.',
  tag,
  params: conversationParams,
  media: { body: 'multipart/form-data' },
  body: uploadForm,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'bad_request'],
  reply: z.object({
    uploaded_files: z.array(z.string()).describe('Paths of the files that were written.'),
    skipped_files: z
      .array(
        z.object({
          name: z.string().describe('Name of the file.'),
          reason: z.string().describe('Why it was not written, in words.'),
        }),
      )
      .describe('Files that were not written, and why.'),
  }),
})

export const getGitChanges = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/git/changes',
  summary: "Changed files of the workspace's repositories, compared with their remotes",
  description:
    'Lists the changed files of the repositories in the workspace, compared with their remotes. 404 where there is no repository.',
  tag,
  params: conversationParams,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'not_a_repository'],
  reply: z.array(
    z.object({
      status: z
        .enum(['M', 'A', 'D', 'U'])
        .describe('What has happened to the file: modified, added, deleted, or not known to git.'),
      path: z.string().describe('Path of the file from the working directory.'),
    }),
  ),
})

export const getGitDiff = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/git/diff',
  summary: 'A file as it was and as it is; at most 1 MiB each',
  description: 'Reads a file as it was at the remote and as it is now; at most 1 MiB each.',
  tag,
  params: conversationParams,
  query: z.object({ path: argumentText(4096).min(1).describe('Path of the file from the working directory.') }),
  failures: [...IN_CONVERSATION, ...IN_RUNTIME, 'bad_request', 'file_too_large', 'not_a_repository'],
  reply: z.object({
    modified: z.string().describe('Text of the file as it is now; empty when it is gone.'),
    original: z.string().describe('Text of the file before the change; empty when it was not there.'),
  }),
})

export const getMicroagents = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/microagents',
  summary: "The repository's instructions for agents",
  description: 'Lists the instructions for agents that the repository of the conversation has.',
  tag,
  params: conversationParams,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.object({
    microagents: z
      .array(
        z.object({
          name: z.string().describe('Name of the instructions.'),
          type: z.enum(['repo', 'knowledge']).describe('`repo` is always read, `knowledge` on a trigger.'),
          content: z.string().describe('Text of the instructions.'),
          triggers: z.array(z.string()).describe('Words that bring them in.'),
          inputs: z
            .array(
              z.object({
                name: z.string().describe('Name of the input.'),
                description: z.string().describe('What the input is for.'),
              }),
            )
            .describe('What they ask the user for.'),
          tools: z.array(z.string()).describe('Tool servers that they bring along.'),
        }),
      )
      .describe('Instructions that were found.'),
  }),
})

export const getWebHosts = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/web-hosts',
  summary: "Addresses of the sandbox's own web servers, with their ports",
  description: 'Lists the web servers that listen in the sandbox, with the addresses that open them on this machine.',
  tag,
  params: conversationParams,
  failures: [...IN_CONVERSATION, { code: 'sandbox_not_found', status: 404 }],
  reply: z.object({
    hosts: z
      .record(z.string(), z.int())
      .describe("Ports of the sandbox's own web servers by the address that opens them on this machine."),
  }),
})

/** null: a sandbox has no editor in it, since nothing is injected into its image. */
export const getVscodeUrl = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/vscode-url',
  summary: 'Address of an editor in the sandbox; null when there is none',
  description: 'Tells the address of an editor in the sandbox. It is null, as none is served.',
  tag,
  params: conversationParams,
  failures: [...IN_CONVERSATION, ...IN_RUNTIME],
  reply: z.object({
    vscode_url: z.string().nullable().describe('Address of an editor in the sandbox; null when there is none.'),
  }),
})
