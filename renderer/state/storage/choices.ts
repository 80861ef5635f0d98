import type { Removable } from '../../../server/api/v1/sandbox/removable.ts'
import type { Reclaimable } from '../../../server/api/v1/system/storage.ts'
import { titleOf } from '../conversation/list.ts'
import { formatAgo } from '../format.ts'
import { t } from '../text.ts'
import { type GroupKind, OWN_DETAILS, REMOVABLE_GROUPS, REMOVABLE_REASONS } from './words.ts'

export const UNUSED_DAYS = [7, 30, 90] as const
export type UnusedDays = (typeof UNUSED_DAYS)[number]
const DAY_MS = 24 * 60 * 60_000

/** Something that can go, as it stands in the list. */
export interface Choice {
  key: string
  kind: GroupKind
  name: string
  /** Why it can go, and how old it is. */
  detail: string
  bytes: number
  /** What it holds may be nowhere else: nobody chooses it for a person. */
  mayHoldWork: boolean
  /** Of the engine's disk; null for what is Atelier's own. */
  item: (Pick<Removable, 'kind' | 'id'> & { engineId: string }) | null
}

/** What can go from one engine's disk. */
export interface EngineRemovables {
  engineId: string
  items: readonly Removable[]
}

export interface Choosable {
  own: readonly Reclaimable[]
  engine: EngineRemovables
  /** Sandboxes of other conversations are shown after so long without use. */
  days: UnusedDays
  now: number
}

/** What can go, in the order of its groups, the largest first in each. */
export function choicesOf({ own, engine, days, now }: Choosable): Choice[] {
  const { engineId, items } = engine
  const isShown = (each: Removable) => each.kind !== 'sandbox' || isArchived(each) || isUnused(each, days, now)
  const shown = items.filter(isShown).map(each => choiceOf(each, engineId, now))
  const choices = [...own.filter(({ files }) => files > 0).map(ownChoice), ...shown]
  const order = Object.keys(REMOVABLE_GROUPS)
  return choices.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || other.bytes - one.bytes)
}

export const IDLE_DAYS = [1, 7, 30] as const
export type IdleDays = (typeof IDLE_DAYS)[number]

/** Sandboxes of all engines that nobody has used for so many days, the largest first. Those that run are never among them. */
export function idleSandboxes(engines: readonly EngineRemovables[], days: IdleDays, now: number): Choice[] {
  const idle = engines.flatMap(({ engineId, items }) =>
    items
      .filter(each => each.kind === 'sandbox' && isUnused(each, days, now))
      .map(each => choiceOf(each, engineId, now)),
  )
  return idle.sort((one, other) => other.bytes - one.bytes)
}

function isUnused({ since }: Removable, days: number, now: number): boolean {
  return since === null || now - Date.parse(since) >= days * DAY_MS
}

function isArchived({ conversations }: Removable): boolean {
  return conversations.every(({ archived }) => archived)
}

function choiceOf(each: Removable, engineId: string, now: number): Choice {
  const { kind, id, bytes, since, conversations, reason, may_hold_work: mayHoldWork } = each
  const why = conversations.length > 0 && isArchived(each) ? t('itsConversationIsArchived') : REMOVABLE_REASONS[reason]
  const ago = since === null ? null : formatAgo(Date.parse(since), Math.max(now, Date.parse(since)))
  const age = ago === null ? [] : [conversations.length > 0 ? t('lastUsedAgo', { ago }) : t('madeAgo', { ago })]
  const [first] = conversations
  const name = first ? titleOf(first) : each.name
  const detail = [why, ...age].join(' · ')
  return { key: `${kind} ${id}`, kind, name, detail, bytes, mayHoldWork, item: { kind, id, engineId } }
}

function ownChoice({ kind, bytes, files }: Reclaimable): Choice {
  const { title } = REMOVABLE_GROUPS[kind]
  // A backup that is wanted later is like work that is nowhere else.
  const mayHoldWork = kind === 'backups' || kind === 'replaced_databases'
  return { key: kind, kind, name: title, detail: OWN_DETAILS[kind](files), bytes, mayHoldWork, item: null }
}

export function bytesOf(choices: readonly Pick<Choice, 'bytes'>[]): number {
  return choices.reduce((sum, { bytes }) => sum + bytes, 0)
}
