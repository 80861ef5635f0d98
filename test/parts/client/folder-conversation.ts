import { expect } from 'vitest'
import { testEngine } from '../engine/containers.ts'
import type { TestService } from '../service/service.ts'
import type { TestFolder } from '../test-folder.ts'
import { startConversation } from './conversation.ts'

/** A conversation with a copy of a folder. */
export async function startInFolder(service: TestService, folder: TestFolder, title?: string) {
  const task = await startConversation(service, { source: { kind: 'folder', path: folder.path }, title })
  expect(task.detail).toBeNull()
  return {
    params: { conversation_id: task.app_conversation_id ?? '' },
    sandboxId: task.sandbox_id ?? '',
    /** What the agent does, in the copy. */
    run: (script: string) => run(task.sandbox_id ?? '', script),
  }
}

async function run(sandbox: string, script: string): Promise<void> {
  const engine = testEngine()
  const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-ec', script], cwd: '/workspace/project/shop' })
  stream.stdout.resume()
  let said = ''
  for await (const chunk of stream.stderr) said += String(chunk)
  expect({ exitCode: await stream.exitCode, said }).toMatchObject({ exitCode: 0 })
  stream.close()
  await engine.close()
}
