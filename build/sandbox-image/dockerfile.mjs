import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { requestEngine } from '../engine/ping.mjs'
import { tarFolder } from './tar.mjs'

/** A registry that says nothing for this long is taken for unreachable. */
const registryTimeoutMs = 15_000

/**
 * Whether the engine has, or can pull, the base of the Dockerfile.
 * @param {string} host
 * @param {string} base
 */
export async function pullBase(host, base) {
  const local = await requestEngine(host, { path: `/images/${base}/json` })
  local.resume()
  if (local.statusCode === 200) return true
  const [image = base, tag = 'latest'] = base.split(':')
  try {
    await engineProgress(host, `/images/create?fromImage=${image}&tag=${tag}`)
    return true
  } catch {
    return false
  }
}

/**
 * Builds the Dockerfile in the engine and saves the image, compressed, to `file`.
 * @param {string} host
 * @param {string} reference
 * @param {string} file
 */
export async function buildDockerfile(host, reference, file) {
  const context = await tarFolder(import.meta.dirname, ['Dockerfile', 'packages.txt'])
  await engineProgress(host, `/build?t=${encodeURIComponent(reference)}&rm=1`, context, 300_000)
  const saved = await requestEngine(host, { path: `/images/${reference}/get` })
  if (saved.statusCode !== 200) throw new Error(`The engine could not save ${reference} (${saved.statusCode}).`)
  await pipeline(saved, createGzip(), createWriteStream(file))
}

/**
 * Posts and reads the engine's stream of JSON progress lines to its end; throws what it reports as an error.
 * @param {string} host
 * @param {string} path
 * @param {Buffer} [body]
 * @param {number} [silenceMs] milliseconds of silence
 */
export async function engineProgress(host, path, body, silenceMs = registryTimeoutMs) {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), silenceMs)
  try {
    const contentType = body ? 'application/x-tar' : undefined
    const response = await requestEngine(host, {
      method: 'POST',
      path,
      signal: abort.signal,
      ...(body && { body }),
      ...(contentType && { contentType }),
    })
    let text = ''
    response.setEncoding('utf8').on('data', chunk => {
      text = (text + chunk).slice(-20_000)
      timer.refresh()
    })
    await once(response, 'end')
    const error = /"error":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
    if (error || response.statusCode !== 200) throw new Error(error ?? text.slice(-500))
  } finally {
    clearTimeout(timer)
  }
}
