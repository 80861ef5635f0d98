import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyToFolder, previewFolderApply, undoFolderApply } from '../../server/api/v1/conversation/folder/apply.ts'
import { startConversation } from '../parts/client/conversation.ts'
import { testEngine } from '../parts/engine/containers.ts'
import { startTestService } from '../parts/service/service.ts'
import { TestFolder } from '../parts/test-folder.ts'
import { median, type Row, row, timed } from './process/measure.ts'

const FILES = 500
const RUNS = 5

/** From a conversation's sandbox back into the folder that it began with, beside the bare copying of as many files. */
export default async function measure(): Promise<Row[]> {
  const service = await startTestService({ settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' } })
  const folder = new TestFolder().write(files('before')).commit()
  try {
    const task = await startConversation(service, { source: { kind: 'folder', path: folder.path } })
    await change(task.sandbox_id ?? '')
    const params = { conversation_id: task.app_conversation_id ?? '' }
    const times = { preview: [] as number[], apply: [] as number[], undo: [] as number[], bare: [] as number[] }
    for (let run = -1; run < RUNS; run++) {
      const preview = await timed(() => service.client.call(previewFolderApply, { params }))
      const apply = await timed(async () => {
        const { written } = await service.client.call(applyToFolder, { params, body: {} })
        if (written.length !== FILES) throw new Error(`${written.length} files were applied.`)
      })
      const undo = await timed(() => service.client.call(undoFolderApply, { params }))
      const bare = await timed(async () => copyBare(folder))
      if (run < 0) continue
      for (const [name, time] of Object.entries({ preview, apply, undo, bare })) {
        times[name as keyof typeof times].push(time)
      }
    }
    const shared = { unit: 'ms', bare: median(times.bare), runs: RUNS } as const
    return [
      row({
        ...shared,
        what: `Apply of ${FILES} files to a folder`,
        atelier: median(times.apply),
        aim: { kind: 'value', atMost: 500 },
      }),
      row({ ...shared, what: `Preview of an apply of ${FILES} files`, atelier: median(times.preview) }),
      row({ ...shared, what: `Undo of an apply of ${FILES} files`, atelier: median(times.undo) }),
    ]
  } finally {
    folder.remove()
    await service.close()
  }
}

function files(text: string): Record<string, string> {
  const line = `${text} `.repeat(20)
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [`src/${index % 25}/file-${index}.txt`, `${line}\n`.repeat(20)]),
  )
}

async function change(sandbox: string): Promise<void> {
  const engine = testEngine()
  const script = "find src -type f -exec sed -i 's/before/after/' {} +"
  const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-ec', script], cwd: '/workspace/project/shop' })
  stream.stdout.resume()
  stream.stderr.resume()
  if ((await stream.exitCode) !== 0) throw new Error('The files could not be changed.')
  await engine.close()
}

function copyBare(folder: TestFolder): void {
  const [from, to] = [folder.beside('bare-from'), folder.beside('bare-to')]
  for (const [path, text] of Object.entries(files('after'))) {
    mkdirSync(join(from, path, '..'), { recursive: true })
    writeFileSync(join(from, path), text)
  }
  cpSync(from, to, { recursive: true })
  for (const each of [from, to]) rmSync(each, { recursive: true })
}
