import { createHmac } from 'node:crypto'

/** The key that opens one sandbox at the gateway. Made of the app's own key, so that it is stored nowhere. */
export function sandboxKey(sessionApiKey: string, sandboxId: string): string {
  return createHmac('sha256', sessionApiKey).update(`sandbox:${sandboxId}`).digest('base64url')
}
