import type { AvailableEngine, EngineAddress } from '../../../server/api/v1/system/engines.ts'
import { t } from './text.ts'

/** An engine as it is chosen and typed. */
export interface EngineDraft {
  /** Address of an available one, as `choiceOf` writes it; empty where the address is typed. */
  chosen: string
  name: string
  host: string
  /** Folder with the keys of a `tcp://` address. */
  certificates: string
}

export type EngineErrors = Partial<Record<'name' | 'host' | 'certificates', string>>

export const EMPTY_ENGINE: EngineDraft = { chosen: '', name: '', host: '', certificates: '' }

/** Of two contexts of one cluster, each is a choice of its own. */
export function choiceOf({ address }: AvailableEngine): string {
  return JSON.stringify(address)
}

/** Its suggested name goes with it, unless the person has typed another. */
export function withChosen(draft: EngineDraft, chosen: string, available: readonly AvailableEngine[]): EngineDraft {
  const nameOf = (choice: string) => available.find(each => choiceOf(each) === choice)?.name ?? ''
  const isSuggested = draft.name === nameOf(draft.chosen)
  return { ...draft, chosen, name: isSuggested ? nameOf(chosen) : draft.name }
}

export type CheckedEngine =
  | { ok: true; request: { name: string; address: EngineAddress } }
  | { ok: false; errors: EngineErrors }

export function checkEngine(draft: EngineDraft, available: readonly AvailableEngine[]): CheckedEngine {
  const errors: EngineErrors = {}
  const name = draft.name.trim()
  const host = draft.host.trim()
  const certificates = draft.certificates.trim()
  if (!name) errors.name = t('giveItName')
  const chosen = available.find(each => choiceOf(each) === draft.chosen)
  if (chosen) return errors.name ? { ok: false, errors } : { ok: true, request: { name, address: chosen.address } }
  if (!/^(ssh|tcp):\/\/\S+$/.test(host)) errors.host = t('giveEngineAddress')
  else if (host.startsWith('tcp:') && !certificates) errors.certificates = t('giveCertificates')
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  const keys = host.startsWith('tcp:') ? certificates : null
  return { ok: true, request: { name, address: { kind: 'host', host, certificates: keys } } }
}
