import { expect } from 'vitest'
import type { AppConversationStartTask } from '../../../server/api/v1/conversation/starts.ts'
import * as routes from '../../../server/api/v1/sandbox/files.ts'
import { runScript } from '../engine/containers.ts'
import type { TestService } from '../service/service.ts'

/** The working directory of a conversation without a repository. */
export const HERE = '/workspace/project'

/** The files in the sandbox of a started conversation, as a client uses them. */
export function folderFiles(
  { client, url, key }: Pick<TestService, 'client' | 'url' | 'key'>,
  { app_conversation_id, sandbox_id }: AppConversationStartTask,
) {
  const params = { conversation_id: app_conversation_id ?? '' }
  const sandboxId = sandbox_id ?? ''
  return {
    params,
    sandboxId,
    /** Runs a script in the working directory. @returns what it printed */
    run: async (script: string): Promise<string> => {
      const { exitCode, printed } = await runScript(sandboxId, { cwd: HERE, script: `set -e; ${script}` })
      expect({ printed, exitCode }).toMatchObject({ exitCode: 0 })
      return printed
    },
    list: (query: { path?: string; page_id?: string; limit?: number } = {}) =>
      client.call(routes.listFolder, { params, query }),
    text: (path: string) => client.call(routes.getFileText, { params, query: { path } }),
    save: (path: string, text: string, version: string | null) =>
      client.call(routes.saveFileText, { params, body: { path, text, version } }),
    move: (path: string, to: string) => client.call(routes.moveFile, { params, body: { path, to } }),
    remove: (path: string) => client.call(routes.deleteFile, { params, query: { path } }),
    restore: (trash_id: string) => client.call(routes.restoreFile, { params, body: { trash_id } }),
    trash: async () => (await client.call(routes.listTrash, { params })).items,
    emptyTrash: () => client.call(routes.emptyTrash, { params }),
    /** The bytes, with the reply's status and headers. */
    content: (path: string, headers: Record<string, string> = {}) =>
      fetch(
        `${url}/api/v1/app-conversations/${params.conversation_id}/files/content?path=${encodeURIComponent(path)}`,
        { headers: { 'X-Session-API-Key': key, ...headers } },
      ),
  }
}
