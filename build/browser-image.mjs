import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestEngine } from './engine/ping.mjs'
import { ensureEngine } from './engine.mjs'
import { ensureImage } from './image.mjs'
import { withLock } from './machine/lock.mjs'
import { isMain, runMain, step } from './machine/progress.mjs'
import { engineProgress } from './sandbox-image/dockerfile.mjs'
import { tarFolder } from './sandbox-image/tar.mjs'

const folder = join(import.meta.dirname, 'browser-image')

/** Downloading is most of it, and says nothing for a while. */
const TIMEOUT_MS = 180_000

/**
 * The image with which the browser tools are tested: the default one, and Debian's headless Chromium in it. It stays in
 * the engine's data, so that it is made once.
 * @param {string} host
 * @param {string} base
 * @returns {Promise<string>} its reference
 */
export async function ensureBrowserImage(host, base) {
  const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8')
  const hash = createHash('sha256').update(dockerfile).update('\0').update(base).digest('hex').slice(0, 12)
  const reference = `atelier-test/browser:${hash}`
  if (await isPresent(host, reference)) return reference
  await withLock('browser-image', async () => {
    if (await isPresent(host, reference)) return
    await step(`Building ${reference}`, () => build(host, base, reference))
  })
  return reference
}

/**
 * @param {string} host
 * @param {string} reference
 */
async function isPresent(host, reference) {
  const response = await requestEngine(host, { path: `/images/${reference}/json` })
  response.resume()
  return response.statusCode === 200
}

/**
 * With the network of the machine: packages are there where the base image's were.
 * @param {string} host
 * @param {string} base
 * @param {string} reference
 */
async function build(host, base, reference) {
  const query = new URLSearchParams({
    t: reference,
    rm: '1',
    networkmode: 'host',
    buildargs: JSON.stringify({ BASE: base }),
  })
  await engineProgress(host, `/build?${query}`, await tarFolder(folder, ['Dockerfile']), TIMEOUT_MS)
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const engine = await ensureEngine()
    const image = await ensureImage(engine)
    if (!engine || !image) return 1
    process.stdout.write(`${await ensureBrowserImage(engine.host, image.reference)}\n`)
    return 0
  })
}
