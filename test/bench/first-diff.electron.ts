import type { Page } from 'playwright'
import { getReviewFile, listReviewFiles } from '../../server/api/v1/conversation/review.ts'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { startConversation } from '../parts/client/conversation.ts'
import { runScript } from '../parts/engine/containers.ts'
import { startSecretService } from '../parts/secret/service.ts'
import { TestFolder } from '../parts/test-folder.ts'
import { type DesktopApp, startDesktopApp } from '../parts/window/desktop-app.ts'
import { compare, interleave, type Row, timed } from './process/measure.ts'

const FILES = 500
const FIRST = 'src/0/file-0.ts'

/** From the key that opens the review to the first painted difference, beside the two requests that it needs. */
export default async function measure(): Promise<Row[]> {
  const keyring = await startSecretService()
  const folder = new TestFolder().write(files()).commit()
  const desktop = await startDesktopApp({ env: keyring.env })
  try {
    const samples = await measureOpening(desktop, folder.path)
    const aim = { kind: 'value', atMost: 200 } as const
    return [compare(`Window: review of ${FILES} files, opened to the first difference`, samples, { aim })]
  } finally {
    await desktop.close()
    folder.remove()
    await keyring.close()
  }
}

async function measureOpening({ page, service }: DesktopApp, path: string) {
  const { client } = service
  await page.getByRole('button', { name: 'Skip for now' }).click()
  await client.call(storeSettings, { body: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' } })
  const task = await startConversation(service, { source: { kind: 'folder', path } })
  const script = "find src -type f -exec sed -i 's/before/after/' {} +"
  await runScript(task.sandbox_id ?? '', { cwd: '/workspace/project/shop', script })
  await page.evaluate(address => location.assign(address), `#/conversations/${task.app_conversation_id}`)
  const params = { conversation_id: task.app_conversation_id ?? '' }
  const bare = () =>
    timed(async () => {
      await client.call(listReviewFiles, { params, query: { base: 'start' } })
      await client.call(getReviewFile, { params, query: { base: 'start', path: FIRST } })
    })
  return interleave({ atelier: () => openReview(page), bare }, { warmUps: 2, runs: 15 })
}

/** @returns milliseconds until the frame after that in which the difference stands */
async function openReview(page: Page): Promise<number> {
  // Nothing is known from the time before.
  await page.reload()
  await page.getByRole('button', { name: 'Review…' }).waitFor()
  const time = await page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const started = performance.now()
        const look = () => {
          if (document.querySelector('main table tr')) requestAnimationFrame(() => resolve(performance.now() - started))
          else requestAnimationFrame(look)
        }
        const keys = { key: 'D', code: 'KeyD', ctrlKey: true, shiftKey: true, bubbles: true }
        document.body.dispatchEvent(new KeyboardEvent('keydown', keys))
        look()
      }),
  )
  return time
}

function files(): Record<string, string> {
  const text = `${'before '.repeat(5)}\n`.repeat(20)
  return Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`src/${index % 25}/file-${index}.ts`, text]))
}
