import { get } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { testEngine } from '../../parts/engine/containers.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let service: TestService
let id: string
let sandbox: string

beforeAll(async () => {
  service = await startTestService({ settings: { language: 'en' } })
  const task = await startConversation(service, {})
  id = task.app_conversation_id ?? ''
  sandbox = task.sandbox_id ?? ''
  const engine = testEngine()
  const argv = ['/bin/sh', '-ec', 'printf hello >small.txt; truncate -s 30G sparse.bin']
  const stream = await engine.exec(sandbox, { argv, cwd: '/workspace/project' })
  stream.stdout.resume()
  expect(await stream.exitCode).toBe(0)
  stream.close()
  await engine.close()
})
afterAll(() => service?.close())

const headers = () => ({ 'X-Session-API-Key': service.key })

/** Reads the beginning of a reply and goes away. */
function giveUp(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: headers() }, reply => {
      if (reply.statusCode !== 200) return reject(new Error(`${url} answered ${reply.statusCode}.`))
      reply.once('data', () => {
        request.destroy()
        resolve()
      })
    })
    request.on('error', reject)
  })
}

// The engine locks a container while it makes an archive of it.
it.each(['first', 'second', 'third'])(
  'a download of a 30 GB sparse file that is given up leaves the sandbox free, the %s time',
  async () => {
    await giveUp(`${service.url}/api/conversations/${id}/zip-directory`)
    const list = await fetch(`${service.url}/api/conversations/${id}/list-files`, { headers: headers() })
    expect(await list.json()).toEqual(expect.arrayContaining(['small.txt']))
    const file = await fetch(`${service.url}/api/conversations/${id}/select-file?file=small.txt`, {
      headers: headers(),
    })
    expect(await file.json()).toEqual({ code: 'hello' })
  },
)

it('and can be paused', async () => {
  await giveUp(`${service.url}/api/conversations/${id}/zip-directory`)
  await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
})
