import { isAppError } from '../errors.ts'
import { randomToken } from '../ids.ts'
import type { SecretLog } from './log.ts'
import type { Vault } from './vault.ts'

export const SESSION_API_KEY_NAME = 'session_api_key'

/**
 * The key of the local API: `SESSION_API_KEY`, or the one in the vault, made at first use. While the keychain is
 * locked or missing it is a key for this run only, so that the app opens all the same.
 */
export async function loadSessionApiKey(vault: Vault, env: NodeJS.ProcessEnv, log: SecretLog): Promise<string> {
  if (env.SESSION_API_KEY) return env.SESSION_API_KEY
  try {
    const kept = await vault.get(SESSION_API_KEY_NAME)
    if (kept) return kept
    const created = randomToken(32)
    if ((await vault.status()).storage === 'keychain') await vault.set(SESSION_API_KEY_NAME, created)
    return created
  } catch (error) {
    if (!isAppError(error)) throw error
    log.warn({ code: error.code }, 'The API key could not be read or kept; this run uses a new one')
    return randomToken(32)
  }
}
