import { expect } from 'vitest'
import { runScript } from '../engine/containers.ts'
import type { TestFolder } from '../test-folder.ts'
import { startConversation } from './conversation.ts'

/** A conversation with a copy of a folder. */
export async function startInFolder(
  service: Parameters<typeof startConversation>[0],
  folder: TestFolder,
  title?: string,
) {
  const task = await startConversation(service, { source: { kind: 'folder', path: folder.path }, title })
  expect(task.detail).toBeNull()
  return {
    params: { conversation_id: task.app_conversation_id ?? '' },
    sandboxId: task.sandbox_id ?? '',
    /** What the agent does, in the copy. */
    run: async (script: string) => {
      const ran = await runScript(task.sandbox_id ?? '', {
        cwd: '/workspace/project/shop',
        script: `set -e; ${script}`,
      })
      expect(ran).toMatchObject({ exitCode: 0 })
    },
  }
}
