import { authFrame } from '../../api/contract/socket-channels.ts'

/** Close codes of the sockets; 4001 and 4004 are what existing clients compare with. */
export const CLOSE_CODES = {
  unauthorized: 4001,
  notFound: 4004,
  tooMany: 1013,
  goingAway: 1001,
  internal: 1011,
} as const

/** In characters, far above what a key takes: what is longer is not parsed for its sake. */
const MAX_KEY_FRAME = 8192

/** The key in a first frame `{"type":"auth","session_api_key":"…"}`; undefined for any other frame. */
export function keyInFrame(text: string): string | undefined {
  if (text.length > MAX_KEY_FRAME) return undefined
  try {
    return authFrame.safeParse(JSON.parse(text)).data?.session_api_key
  } catch {
    return undefined
  }
}
