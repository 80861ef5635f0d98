import { expect } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { SandboxLogs } from '../../../server/sandbox/log/logs.ts'
import { it as base } from '../../fixtures/sandbox.ts'

const it = base
  .extend('logs', { scope: 'file' }, ({ parts }) => {
    return new SandboxLogs({ connection: parts.connection, sandboxes: parts.engineSandboxes })
  })
  .extend('startWith', { scope: 'file' }, ({ parts }) => async (script: string) => {
    const command = ['/bin/sh', '-c', `${script}\nsleep 1000`]
    const image = parts.images.reference ?? ''
    const spec = await parts.specs.create(sandboxSpecRequest.parse({ title: 'Talks', image, command }))
    return (await parts.sandboxes.start(spec.id)).id
  })

it('the log has what the command of the spec printed, at both outputs, without control sequences, also when it is paused', async ({
  parts,
  logs,
  startWith,
}) => {
  const id = await startWith(`printf '\\033[31mred\\033[0m\\n'; echo wrong >&2; echo "three"`)
  const read = async () => ((await logs.read(id, 100)) ?? '').split('\n').sort()
  await expect.poll(read).toEqual(['', 'red', 'three', 'wrong'])
  expect(await logs.read(id, 1)).toMatch(/^(three|wrong)\n$/)
  await parts.sandboxes.pause(id)
  expect(await read()).toEqual(['', 'red', 'three', 'wrong'])
  // What is run in it is no part of that.
  await parts.sandboxes.resume(id)
  await (await parts.sandboxes.open(id)).exec({ argv: ['echo', 'elsewhere'] })
  expect(await read()).toEqual(['', 'red', 'three', 'wrong'])
})

it('what the engine keeps of it, and what is read, is bounded', async ({ parts, logs, startWith }) => {
  const id = await startWith('i=0; while [ $i -lt 3000 ]; do i=$((i+1)); printf "%0300d\\n" $i; done; echo end')
  await expect.poll(() => logs.read(id, 1), { timeout: 20_000 }).toBe('end\n')
  const text = (await logs.read(id, 2000)) ?? ''
  expect(text.length).toBe(512 * 1024)
  expect(text.endsWith('3000\nend\n')).toBe(true)
  const { HostConfig } = await parts.outside.getContainer(id).inspect()
  expect(HostConfig.LogConfig).toMatchObject({ Config: { 'max-size': '2048k', 'max-file': '2' } })
})

it('there is none of a sandbox that only waits, and none of one that is not there', async ({ parts, logs }) => {
  const { id } = await parts.sandboxes.start()
  expect(await logs.read(id, 10)).toBeNull()
  await expect(logs.read('atelier-none', 10)).rejects.toMatchObject({ code: 'sandbox_not_found' })
})
