import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import { type Row, row } from './measure.ts'

/** In the packaged app. It is compressed already. */
const IMAGE = 'resources/sandbox-image.tar.gz'

/** What a person downloads: the app as its archive packs it, and the image of sandboxes inside. */
export default async function measure(): Promise<Row[]> {
  const program = process.env.ATELIER_TEST_APP
  if (!program) throw new Error('ATELIER_TEST_APP is not set. Run the benchmarks with `npm run bench`.')
  const app = dirname(program)
  const sizes = [
    { what: 'Size: the app, compressed, without the image', bytes: await compressedBytes(app), atMost: 130 },
    { what: 'Size: the image of sandboxes', bytes: statSync(join(app, IMAGE)).size, atMost: 80 },
  ]
  return sizes.map(({ what, bytes, atMost }) =>
    row({ what, unit: 'MB', atelier: bytes / 1e6, bare: null, runs: 1, aim: { kind: 'value', atMost } }),
  )
}

async function compressedBytes(folder: string): Promise<number> {
  const tar = spawn('tar', ['-C', folder, '--exclude', `./${IMAGE}`, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(tar, 'close')
  let bytes = 0
  for await (const chunk of tar.stdout.pipe(createGzip({ level: 9 }))) bytes += chunk.length
  const [code] = await closed
  if (code !== 0) throw new Error(`tar ended with ${code}.`)
  return bytes
}
