import { HIDDEN } from '../../api/contract/hidden-values.ts'
import { messageOf } from '../../domain/errors.ts'
import type { KeychainAnswer, KeychainCall } from './protocol.ts'
import { secretServiceState } from './secret-service.ts'

type Refusal = Extract<KeychainAnswer, { ok: false }>
type Keytar = typeof import('keytar')

/** Answers one call with the operating system's keychain. Runs in the keychain process only: keytar may never return. */
export async function answerKeychainCall(call: KeychainCall): Promise<KeychainAnswer> {
  const refusal = await keyringRefusal()
  // Writing into a locked keyring is what makes the desktop ask for its password.
  if (refusal && !(call.op === 'unlock' && refusal.state === 'locked')) return refusal
  let keytar: Keytar
  try {
    keytar = (await import('keytar')).default
  } catch (error) {
    return { ok: false, state: 'missing', reason: `The keychain library cannot be loaded (${messageOf(error)}).` }
  }
  try {
    return { ok: true, value: await perform(keytar, call) }
  } catch (error) {
    // The keyring may have been locked between the question and the call.
    return (await keyringRefusal()) ?? { ok: false, state: 'failed', reason: withoutValue(call, messageOf(error)) }
  }
}

async function keyringRefusal(): Promise<Refusal | undefined> {
  const uid = process.getuid?.()
  if (process.platform !== 'linux' || uid === undefined) return undefined
  const state = await secretServiceState(process.env, uid)
  if (state.kind === 'locked') return { ok: false, state: 'locked', reason: 'The keyring is locked.' }
  if (state.kind === 'missing') return { ok: false, state: 'missing', reason: state.reason }
  return undefined
}

async function perform(keytar: Keytar, call: KeychainCall): Promise<string | null> {
  switch (call.op) {
    case 'probe':
      await keytar.getPassword(call.service, 'probe')
      return null
    case 'unlock':
      await keytar.setPassword(call.service, 'unlock', 'asked')
      await keytar.deletePassword(call.service, 'unlock')
      return null
    case 'list':
      return JSON.stringify((await keytar.findCredentials(call.service)).map(({ account }) => account))
    case 'get':
      return keytar.getPassword(call.service, call.account)
    case 'set':
      await keytar.setPassword(call.service, call.account, call.value)
      return null
    case 'delete':
      await keytar.deletePassword(call.service, call.account)
      return null
  }
}

function withoutValue(call: KeychainCall, text: string): string {
  return call.op === 'set' ? text.replaceAll(call.value, HIDDEN) : text
}
