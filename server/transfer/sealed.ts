import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { damagedFile } from './format.ts'

/** https://www.rfc-editor.org/rfc/rfc7914: 128 MB of memory and about half a second for each try. */
const KEY_DERIVATION = { name: 'scrypt', n: 2 ** 17, r: 8, p: 1 } as const
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const SALT_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)

/** What is said in the clear, and cannot be changed without the passphrase: the key depends on it, and the tag too. */
const header = z.object({
  version: z.literal(1),
  key_derivation: z.object({
    name: z.literal(KEY_DERIVATION.name),
    n: z.literal(KEY_DERIVATION.n),
    r: z.literal(KEY_DERIVATION.r),
    p: z.literal(KEY_DERIVATION.p),
    salt: base64.length(24),
  }),
  cipher: z.literal(CIPHER),
  nonce: base64.length(16),
})

const sealed = z.object({ header, tag: base64.length(24), data: base64 })

/** A text that nobody reads without the passphrase, as JSON. The key is derived in a thread of its own. */
export async function seal(text: string, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const said: z.output<typeof header> = {
    version: 1,
    key_derivation: { ...KEY_DERIVATION, salt: salt.toString('base64') },
    cipher: CIPHER,
    nonce: nonce.toString('base64'),
  }
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt), nonce)
  cipher.setAAD(Buffer.from(JSON.stringify(said)))
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return JSON.stringify({ header: said, tag: cipher.getAuthTag().toString('base64'), data: data.toString('base64') })
}

/** @throws AppError bad_request for another passphrase, and for what was changed */
export async function unseal(value: unknown, passphrase: string): Promise<string> {
  const { data: read } = sealed.safeParse(value)
  if (!read) throw damagedFile('its secrets cannot be read')
  const salt = Buffer.from(read.header.key_derivation.salt, 'base64')
  const nonce = Buffer.from(read.header.nonce, 'base64')
  const decipher = createDecipheriv(CIPHER, await keyOf(passphrase, salt), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(JSON.stringify(read.header)))
  decipher.setAuthTag(Buffer.from(read.tag, 'base64'))
  try {
    return Buffer.concat([decipher.update(Buffer.from(read.data, 'base64')), decipher.final()]).toString('utf8')
  } catch (cause) {
    const message = 'The passphrase does not open the secrets in this file.'
    throw new AppError('bad_request', `${message} Enter the one that they were exported with, or leave them out.`, {
      cause,
    })
  }
}

/** The same characters are the same passphrase, however a keyboard composes them. */
function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  const options: ScryptOptions = {
    N: KEY_DERIVATION.n,
    r: KEY_DERIVATION.r,
    p: KEY_DERIVATION.p,
    maxmem: 256 * 2 ** 20,
  }
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}
