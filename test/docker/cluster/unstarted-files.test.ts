import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { UnstartedFiles } from '../../../server/kubernetes/unstarted-files.ts'

it('keeps a few files for a start, and reads no workspace into memory', async () => {
  const files = new UnstartedFiles()
  await files.keep('one', '/', Buffer.from('account'))
  let given = 0
  const workspace = Readable.from(
    (function* () {
      for (; given < 1000; given++) yield Buffer.alloc(2 ** 20)
    })(),
  )
  await expect(files.keep('one', '/workspace', workspace)).rejects.toThrow('cannot keep more than 4 MiB of files')
  expect(workspace.destroyed).toBe(true)
  expect(given).toBeLessThan(50)
  const written: string[] = []
  await files.write('one', async (path, archive) => void written.push(`${path} ${archive}`))
  expect(written).toEqual(['/ account'])
})
