import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyToFolder, previewFolderApply } from '../../server/api/v1/conversation/folder/apply.ts'
import { createFolderBranch } from '../../server/api/v1/conversation/folder/branch.ts'
import { inspectFolder } from '../../server/api/v1/conversation/folder/folders.ts'
import { startConversation } from '../parts/client/conversation.ts'
import { testEngine } from '../parts/engine/containers.ts'
import { startTestService } from '../parts/service/service.ts'
import { TestFolder } from '../parts/test-folder.ts'
import { type Row, row, timed } from './process/measure.ts'

const FILES = 50_000
const PER_FOLDER = 100
const CHANGED = 20

/** A folder of many files into a sandbox and back, beside `git clone --local`. */
export default async function measure(): Promise<Row[]> {
  const service = await startTestService({ settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' } })
  const folder = new TestFolder()
  try {
    fill(folder)
    const clone = await timed(async () => {
      execFileSync('git', ['clone', '-q', '--local', folder.path, folder.beside('clone')])
    })
    const inspect = await timed(() => service.client.call(inspectFolder, { body: { path: folder.path } }))
    let id = ''
    let sandbox = ''
    // The first start of a service makes what all others share.
    await startConversation(service, {})
    const empty = await timed(() => startConversation(service, {}))
    const start = await timed(async () => {
      const task = await startConversation(service, { source: { kind: 'folder', path: folder.path } })
      if (task.detail !== null) throw new Error(task.detail)
      id = task.app_conversation_id ?? ''
      sandbox = task.sandbox_id ?? ''
    })
    const params = { conversation_id: id }
    await change(sandbox)
    const preview = await timed(() => service.client.call(previewFolderApply, { params }))
    const branch = await timed(() => service.client.call(createFolderBranch, { params, body: {} }))
    const apply = await timed(() => service.client.call(applyToFolder, { params, body: {} }))
    const shared = { unit: 'ms', bare: clone, runs: 1 } as const
    const of = `of ${FILES.toLocaleString('en')} files, against git clone --local`
    return [
      row({ ...shared, what: `Copy into a sandbox ${of}`, atelier: start - empty }),
      row({ ...shared, what: `A look at a folder ${of}`, atelier: inspect }),
      row({ ...shared, what: `Preview of ${CHANGED} changes ${of}`, atelier: preview }),
      row({ ...shared, what: `A branch of ${CHANGED} changes ${of}`, atelier: branch }),
      row({ ...shared, what: `Apply of ${CHANGED} changes ${of}`, atelier: apply }),
    ]
  } finally {
    folder.remove()
    await service.close()
  }
}

function fill(folder: TestFolder): void {
  for (let at = 0; at < FILES; at += PER_FOLDER) {
    const place = join(folder.path, 'src', String(at))
    mkdirSync(place, { recursive: true })
    for (let index = at; index < at + PER_FOLDER; index++) {
      writeFileSync(join(place, `${index}.txt`), `This is file ${index}.\n`.repeat(10))
    }
  }
  folder.commit()
}

async function change(sandbox: string): Promise<void> {
  const engine = testEngine()
  const script = `for n in $(seq 1 ${CHANGED}); do echo changed >>src/0/$n.txt; done`
  const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-ec', script], cwd: '/workspace/project/shop' })
  stream.stdout.resume()
  stream.stderr.resume()
  if ((await stream.exitCode) !== 0) throw new Error('The files could not be changed.')
  await engine.close()
}
