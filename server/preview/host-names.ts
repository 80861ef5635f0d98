import { createHmac } from 'node:crypto'

/** A port of a sandbox. */
export interface Target {
  sandboxId: string
  port: number
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const MAC_BYTES = 16

/**
 * The name, below `localhost`, under which a browser on this machine reaches a port of a sandbox. Nobody can guess it, and each
 * port is an origin and a site of its own, so that pages of one sandbox see nothing of another. It is made of the app's own
 * key, stored nowhere, and ends with that key.
 */
export function hostLabel(key: string, { sandboxId, port }: Target): string {
  return `${port}-${macOf(key, `preview:${sandboxId}:${port}`)}`
}

/** What the proxy into the network of a sandbox asks for, made in the same way. */
export function proxyPassword(key: string, sandboxId: string): string {
  return macOf(key, `proxy:${sandboxId}`)
}

function macOf(key: string, text: string): string {
  return base32(createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES))
}

/** @returns the port that a name says, which is nobody's word until the name is compared */
export function portIn(label: string): number | undefined {
  const port = Number(/^([1-9]\d{0,4})-[a-z2-7]{26}$/.exec(label)?.[1])
  return port <= 65_535 ? port : undefined
}

/** As in RFC 4648, section 6, in lower case and without padding. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(value >> bits) & 31]
    }
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text
}
