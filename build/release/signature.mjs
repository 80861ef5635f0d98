import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../machine/progress.mjs'

/** What a package can be updated from, and by whose word. `electron/updates` reads it.
 * @typedef {{url: string, publicKeys: string[]}} UpdateSource
 */

/**
 * Where a package looks for updates, which is put into it: `ATELIER_UPDATE_FEED`, and whose signatures it believes:
 * `ATELIER_UPDATE_PUBLIC_KEYS`, each 32 bytes of Ed25519 in base64.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {UpdateSource | null} null when neither is set: such a package is never updated
 */
export function updateSource(env = process.env) {
  const { ATELIER_UPDATE_FEED: url, ATELIER_UPDATE_PUBLIC_KEYS: keys } = env
  if (!url && !keys) return null
  if (!url || !keys) {
    throw new SetupError(
      'Set both ATELIER_UPDATE_FEED and ATELIER_UPDATE_PUBLIC_KEYS, or neither: see docs/release.md.',
    )
  }
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new SetupError('ATELIER_UPDATE_FEED is no https address.')
  }
  const publicKeys = keys.split(/[\s,]+/).filter(Boolean)
  if (publicKeys.every(key => /^[A-Za-z0-9+/]{43}=$/.test(key))) return { url, publicKeys }
  throw new SetupError('ATELIER_UPDATE_PUBLIC_KEYS holds what is no public key: each is 32 bytes in base64.')
}

/**
 * Signs each description of a folder, together with its name.
 * @param {string} folder
 * @param {{key: string, publicKeys?: readonly string[]}} keys the private one as PEM; and those that packages were given, of which it must be one
 * @returns {string[]} the signatures
 */
export function signDescriptions(folder, { key, publicKeys }) {
  const privateKey = ed25519(key)
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const own = Buffer.from(x, 'base64url').toString('base64')
  if (publicKeys && !publicKeys.includes(own)) {
    throw new SetupError(`The packages would not believe this key: ${own} is not in ATELIER_UPDATE_PUBLIC_KEYS.`)
  }
  return readdirSync(folder)
    .filter(name => /^(latest|atelier)-.+\.yml$/.test(name))
    .map(name => {
      const text = readFileSync(join(folder, name), 'utf8')
      const file = join(folder, `${name}.sig`)
      writeFileSync(file, `${sign(null, Buffer.from(`${name}\n${text}`), privateKey).toString('base64')}\n`)
      return file
    })
}

/** @param {string} pem */
function ed25519(pem) {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // What Node says of it could hold a part of it.
  }
  throw new SetupError('ATELIER_UPDATE_PRIVATE_KEY is no private key of Ed25519 in PEM: see docs/release.md.')
}
