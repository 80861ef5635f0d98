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
  /** Hours; '' is never. */
  deadline: string
  pausesWhenIdle: boolean
}

export type ClusterErrors = Partial<Record<Exclude<keyof ClusterDraft, 'pausesWhenIdle'>, string>>

export const EMPTY_CLUSTER: ClusterDraft = {
  nodeSelector: '',
  tolerations: '',
  imagePullSecrets: '',
  storageClass: '',
  volume: '',
  deadline: '',
  pausesWhenIdle: false,
}

const GB = 1_000_000_000
const HOUR_S = 3600
/** In the place of a key. */
const ANY = '*'

export function draftOfCluster(place: ClusterPlace): ClusterDraft {
  const { node_selector, tolerations, image_pull_secrets, storage_class, volume_bytes } = place
  const { active_deadline_seconds: deadline, pause_when_idle: pausesWhenIdle } = place
  return {
    nodeSelector: Object.entries(node_selector)
      .map(([key, value]) => `${key}=${value}`)
      .join('\n'),
    tolerations: tolerations.map(taintOf).join('\n'),
    imagePullSecrets: image_pull_secrets.join('\n'),
    storageClass: storage_class ?? '',
    volume: volume_bytes === null ? '' : String(volume_bytes / GB),
    deadline: deadline === null ? '' : String(deadline / HOUR_S),
    pausesWhenIdle,
  }
}

/** As the service's schema takes it; that says what is wrong. */
export function inputOfCluster(draft: ClusterDraft): Record<string, unknown> {
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
    volume_bytes: amountOf(draft.volume, GB),
    active_deadline_seconds: amountOf(draft.deadline, HOUR_S),
    pause_when_idle: draft.pausesWhenIdle,
  }
}

/** In the schema's unit; null for nothing. */
function amountOf(text: string, unit: number): number | null {
  const typed = text.trim().replace(',', '.')
  return typed === '' ? null : Math.round(Number(typed) * unit)
}

/** The schema's names for the fields of a draft. */
const FIELDS: Readonly<Record<string, keyof ClusterErrors>> = {
  node_selector: 'nodeSelector',
  tolerations: 'tolerations',
  image_pull_secrets: 'imagePullSecrets',
  storage_class: 'storageClass',
  volume_bytes: 'volume',
  active_deadline_seconds: 'deadline',
}

const WORDS: Required<ClusterErrors> = {
  nodeSelector: t('giveNodeLabels'),
  tolerations: t('giveTaints'),
  imagePullSecrets: t('giveObjectName'),
  storageClass: t('giveObjectName'),
  volume: t('giveVolumeGb'),
  deadline: t('giveHours'),
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
