import { type AvailableEngine, type EngineAddress, engineAddress } from '../../../server/api/v1/system/engines.ts'
import { namesOf } from './lines.ts'
import { t } from './text.ts'

/** An engine as it is chosen and typed. */
export interface EngineDraft {
  /** Address of an available one, as `choiceOf` writes it; empty where the address is typed. */
  chosen: string
  name: string
  host: string
  /** Folder with the keys of a `tcp://` address. */
  certificates: string
  /** Of a cluster; empty: that of its context. */
  namespace: string
  /** Reference of Atelier's own image for the nodes of a cluster; empty: they have it. */
  image: string
  /** A name a line. */
  imagePullSecrets: string
}

export type EngineErrors = Partial<Record<Exclude<keyof EngineDraft, 'chosen'>, string>>

export const EMPTY_ENGINE: EngineDraft = {
  chosen: '',
  name: '',
  host: '',
  certificates: '',
  namespace: '',
  image: '',
  imagePullSecrets: '',
}

/** The available one that a draft has chosen; undefined where its address is typed. */
export function chosenOf(draft: EngineDraft, available: readonly AvailableEngine[]): AvailableEngine | undefined {
  return available.find(each => choiceOf(each) === draft.chosen)
}

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
  const chosen = chosenOf(draft, available)
  if (chosen?.address.kind === 'kubernetes') {
    const { address, errors: found } = checkCluster(draft, chosen.address)
    Object.assign(errors, found)
    return address && !errors.name ? { ok: true, request: { name, address } } : { ok: false, errors }
  }
  if (chosen) return errors.name ? { ok: false, errors } : { ok: true, request: { name, address: chosen.address } }
  if (!/^(ssh|tcp):\/\/\S+$/.test(host)) errors.host = t('giveEngineAddress')
  else if (host.startsWith('tcp:') && !certificates) errors.certificates = t('giveCertificates')
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  const keys = host.startsWith('tcp:') ? certificates : null
  return { ok: true, request: { name, address: { kind: 'host', host, certificates: keys } } }
}

/** The schema's names for the fields of a draft, and what is said of a wrong one. */
const CLUSTER_FIELDS: Readonly<Record<string, EngineErrors>> = {
  namespace: { namespace: t('giveObjectName') },
  image: { image: t('giveImageReference') },
  image_pull_secrets: { imagePullSecrets: t('giveObjectName') },
}

function checkCluster(draft: EngineDraft, context: EngineAddress): { address?: EngineAddress; errors: EngineErrors } {
  const { data: address, error } = engineAddress.safeParse({
    ...context,
    namespace: draft.namespace.trim() || null,
    image: draft.image.trim() || null,
    image_pull_secrets: namesOf(draft.imagePullSecrets),
  })
  if (address) return { address, errors: {} }
  return { errors: Object.assign({}, ...error.issues.map(({ path }) => CLUSTER_FIELDS[String(path[0])])) }
}
