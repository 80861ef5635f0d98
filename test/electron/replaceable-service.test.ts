import { expect, test } from 'vitest'
import { createReplaceableService } from '../../electron/dev/replaceable-service.ts'
import type { ServiceProcess, ServiceProcessOptions } from '../../electron/service/child.ts'

const URL_OF_ALL = 'http://127.0.0.1:3737'
const OPTIONS = { config: { port: 3737 } } as ServiceProcessOptions

function serviceOf(file: string): ServiceProcess {
  const connection = async () => ({ url: URL_OF_ALL, key: file, sessionApiKey: file })
  return { url: URL_OF_ALL, connection, close: async () => {}, kill: async () => {} } as unknown as ServiceProcess
}

test('while another service takes its place it keeps its address, and who connects waits for the next one', async () => {
  let begin = () => {}
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const service = createReplaceableService('first', async ({ file }) => {
    if (file === 'second') await begun
    return serviceOf(file)
  })
  const standIn = await service.start(OPTIONS)
  expect(await standIn.connection()).toMatchObject({ key: 'first' })
  const replaced = service.replace('second')
  await new Promise(resolve => setImmediate(resolve))
  expect(standIn.url).toBe(URL_OF_ALL)
  const connection = standIn.connection()
  begin()
  await replaced
  expect(await connection).toMatchObject({ key: 'second' })
})
