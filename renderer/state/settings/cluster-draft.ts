import type { ClusterPlace } from '../../../server/api/v1/sandbox/cluster.ts'
import { namesOf } from './lines.ts'
import { t } from './text.ts'

/** Where on a cluster a sandbox runs, as it is typed. */
export interface ClusterDraft {
  /** `key=value` a line. */
  nodeSelector: string
  /** A taint a line, as kubectl writes it: `key=value:Effect`, `key:Effect` or `key`; with `*` as the key any. */
  tolerations: string
  /** A name a line. */
  imagePullSecrets: string
  storageClass: string
  /** GB. */
  volume: string
}

export type ClusterErrors = Partial<Record<keyof ClusterDraft, string>>

export const EMPTY_CLUSTER: ClusterDraft = {
  nodeSelector: '',
  tolerations: '',
  imagePullSecrets: '',
  storageClass: '',
  volume: '',
}

const GB = 1_000_000_000
/** In the place of a key. */
const ANY = '*'

export function draftOfCluster(place: ClusterPlace): ClusterDraft {
  const { node_selector, tolerations, image_pull_secrets, storage_class, volume_bytes } = place
  return {
    nodeSelector: Object.entries(node_selector)
      .map(([key, value]) => `${key}=${value}`)
      .join('\n'),
    tolerations: tolerations.map(taintOf).join('\n'),
    imagePullSecrets: image_pull_secrets.join('\n'),
    storageClass: storage_class ?? '',
    volume: volume_bytes === null ? '' : String(volume_bytes / GB),
  }
}

/** As the service's schema takes it; that says what is wrong. */
export function inputOfCluster(draft: ClusterDraft): Record<string, unknown> {
  const volume = draft.volume.trim().replace(',', '.')
  return {
    node_selector: Object.fromEntries(
      namesOf(draft.nodeSelector).map(line => {
        const [key = '', ...value] = line.split('=')
        return [key.trim(), value.join('=').trim()]
      }),
    ),
    tolerations: namesOf(draft.tolerations).map(tolerationOf),
    image_pull_secrets: namesOf(draft.imagePullSecrets),
    storage_class: draft.storageClass.trim() || null,
    volume_bytes: volume === '' ? null : Math.round(Number(volume) * GB),
  }
}

/** The schema's names for the fields of a draft. */
const FIELDS: Readonly<Record<string, keyof ClusterDraft>> = {
  node_selector: 'nodeSelector',
  tolerations: 'tolerations',
  image_pull_secrets: 'imagePullSecrets',
  storage_class: 'storageClass',
  volume_bytes: 'volume',
}

const WORDS: Record<keyof ClusterDraft, string> = {
  nodeSelector: t('giveNodeLabels'),
  tolerations: t('giveTaints'),
  imagePullSecrets: t('giveObjectName'),
  storageClass: t('giveObjectName'),
  volume: t('giveVolumeGb'),
}

/** @param name of a field in the schema */
export function errorsOfCluster(name: string): ClusterErrors {
  const field = FIELDS[name]
  return field ? { [field]: WORDS[field] } : {}
}

function taintOf({ key, operator, value, effect }: ClusterPlace['tolerations'][number]): string {
  const which = operator === 'Equal' ? `${key ?? ''}=${value ?? ''}` : (key ?? ANY)
  return effect === null ? which : `${which}:${effect}`
}

/** Without a value any will do. */
function tolerationOf(taint: string): Record<string, string | null> {
  const [which = '', effect] = taint.split(':')
  const [key = '', value] = which.split('=')
  return {
    key: key.trim() === ANY ? null : key.trim(),
    operator: value === undefined ? 'Exists' : 'Equal',
    value: value?.trim() ?? null,
    effect: effect?.trim() ?? null,
  }
}
