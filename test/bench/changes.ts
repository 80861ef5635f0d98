import { listReviewFiles } from '../../server/api/v1/conversation/review.ts'
import { startConversation } from '../parts/client/conversation.ts'
import { testEngine } from '../parts/engine/containers.ts'
import { startTestService } from '../parts/service/service.ts'
import { TestFolder } from '../parts/test-folder.ts'
import { interleave, median, type Row, row, timed } from './process/measure.ts'

const FILES = 500
const LINES = 20

/** The list of changed files with their counts, beside git alone in a process of the same sandbox. */
export default async function measure(): Promise<Row[]> {
  const service = await startTestService({ settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' } })
  const folder = new TestFolder().write(files()).commit()
  const engine = testEngine()
  try {
    const task = await startConversation(service, { source: { kind: 'folder', path: folder.path } })
    const run = async (script: string) => {
      const argv = ['/bin/sh', '-ec', script]
      const stream = await engine.exec(task.sandbox_id ?? '', { argv, cwd: '/workspace/project/shop' })
      stream.stdout.resume()
      stream.stderr.resume()
      if ((await stream.exitCode) !== 0) throw new Error(`${script} failed.`)
      stream.close()
    }
    await run("find src -type f -exec sed -i 's/before/after/' {} +")
    const params = { conversation_id: task.app_conversation_id ?? '' }
    const list = async () => {
      const { files } = await service.client.call(listReviewFiles, { params, query: { base: 'start' } })
      if (files.filter(({ additions }) => additions === LINES).length !== FILES) throw new Error('Files are missing.')
    }
    const samples = await interleave(
      { atelier: () => timed(list), bare: () => timed(() => run('git diff --numstat -z HEAD')) },
      { warmUps: 2, runs: 10 },
    )
    return [
      row({
        what: `Changes of ${FILES} files with ${FILES * LINES * 2} lines`,
        unit: 'ms',
        atelier: median(samples.atelier),
        bare: median(samples.bare),
        runs: samples.atelier.length,
        aim: { kind: 'value', atMost: 150 },
      }),
    ]
  } finally {
    await engine.close()
    folder.remove()
    await service.close()
  }
}

function files(): Record<string, string> {
  const text = `${'before '.repeat(5)}\n`.repeat(LINES)
  return Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`src/${index % 25}/file-${index}.txt`, text]))
}
