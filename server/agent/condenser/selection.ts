import { type Call, resultsByCall } from '../../api/event/calls.ts'
import type { Event } from '../../api/event/events.ts'
import type { ViewItem } from '../../event/condensed.ts'
import { estimateTokens } from './size.ts'

export interface Selection {
  /** In order; summaries of earlier condensations are always among them. */
  forgotten: ViewItem[]
  kept: ViewItem[]
  /** Where the summary stands among the kept ones. */
  offset: number
}

export interface Targets {
  /** Items at the beginning that stay as they are. */
  keepFirst: number
  /** What is to be left, the summary included. */
  items: number
  tokens: number
  /** Forgetting less than this is not worth a summary. */
  leastForgotten: { items: number; tokens: number }
}

/**
 * What to forget, so that the newest steps stay and the whole comes down to the targets; null when that is not worth it.
 *
 * INVARIANTS: a unit is kept or forgotten as a whole, except that the system prompt, the first message of a person (the
 * task) and the newest one always stay. With `everything` only these do, and of the messages only those that are not
 * too large themselves.
 */
export function select(view: readonly ViewItem[], targets: Targets, everything: boolean): Selection | null {
  const units = unitsOf(view, Math.floor(targets.items / LOOP_SHARE))
  const spared = protectedItems(view, everything ? targets.tokens / 4 : Number.POSITIVE_INFINITY)
  const head = headLength(units, everything ? 0 : targets.keepFirst, spared)
  const first = units.slice(0, head).flat()
  const tail = tailStart(units.slice(head), spared, {
    items:
      targets.items -
      first.length -
      1 -
      units
        .slice(head)
        .flat()
        .filter(item => spared.has(item)).length,
    tokens: targets.tokens - estimateTokens([...new Set([...first, ...spared])]),
  })
  const forgotten = new Set(
    units
      .slice(head, head + tail)
      .flat()
      .filter(item => !spared.has(item)),
  )
  const fresh = [...forgotten].filter(item => item.kind !== 'CondensationSummaryEvent')
  if (fresh.length < Math.max(1, targets.leastForgotten.items)) return null
  if (estimateTokens(fresh) < targets.leastForgotten.tokens) return null
  return { forgotten: [...forgotten], kept: view.filter(item => !forgotten.has(item)), offset: first.length }
}

/** What one loop that begins with thinking may take of the items that are left, lest the newest steps go with it. */
const LOOP_SHARE = 2

/**
 * What belongs together: an answer's calls with their results and what was said meanwhile, and answers without thinking
 * with the one before them that has it, because some providers want a turn of an assistant to begin with its thinking.
 * A model may think once and then work for hours: only up to `longestLoop` items stay with their thinking.
 */
export function unitsOf(view: readonly ViewItem[], longestLoop: number): ViewItem[][] {
  const results = resultsByCall(view.filter((item): item is ViewItem & Event => item.kind !== SUMMARY))
  const callOf = new Map([...results].map(([callId, result]) => [result.id, callId]))
  const units: { items: ViewItem[]; kind: 'other' | 'calls' | 'thinking' }[] = []
  const open = new Set<string>()
  for (const [index, item] of view.entries()) {
    const unit = units.at(-1)
    const within = open.size > 0 || callOf.has(item.id)
    if (item.kind === 'ActionEvent') {
      const inLoop = unit?.kind === 'thinking' && !thinks(item) && unit.items.length < longestLoop
      const goesOn = within || continuesAnswer(item, view[index - 1]) || inLoop
      if (unit && goesOn) unit.items.push(item)
      else units.push({ items: [item], kind: thinks(item) ? 'thinking' : 'calls' })
      if (results.has(item.id)) open.add(item.id)
    } else {
      if (unit && within) unit.items.push(item)
      else units.push({ items: [item], kind: 'other' })
      open.delete(callOf.get(item.id) ?? '')
    }
  }
  return units.map(({ items }) => items)
}

const SUMMARY = 'CondensationSummaryEvent'

function continuesAnswer(call: Call, before: ViewItem | undefined): boolean {
  return before?.kind === 'ActionEvent' && before.llm_response_id === call.llm_response_id
}

function thinks(call: Call): boolean {
  return call.thinking_blocks.length > 0
}

function protectedItems(view: readonly ViewItem[], largest: number): Set<ViewItem> {
  const spoken = view.filter(item => item.kind === 'MessageEvent' && item.source === 'user')
  const messages = [spoken[0], spoken.at(-1)].filter(item => item !== undefined)
  return new Set([
    ...view.filter(item => item.kind === 'SystemPromptEvent'),
    ...messages.filter(item => estimateTokens([item]) <= largest),
  ])
}

/** Whole units at the beginning, up to a summary; the task is one of them where only the prompt stands before it. */
function headLength(units: readonly ViewItem[][], keepFirst: number, spared: ReadonlySet<ViewItem>): number {
  let items = 0
  for (const [index, unit] of units.entries()) {
    items += unit.length
    const stays = items <= keepFirst || unit.every(item => spared.has(item))
    if (!stays || unit.some(item => item.kind === SUMMARY)) return index
  }
  return units.length
}

/** How many units go before the newest ones that there is room for; an earlier summary always goes. */
function tailStart(
  units: readonly ViewItem[][],
  spared: ReadonlySet<ViewItem>,
  room: { items: number; tokens: number },
): number {
  let { items, tokens } = room
  let start = units.length
  while (start > 0) {
    const unit = units[start - 1] ?? []
    if (unit.some(item => item.kind === SUMMARY)) break
    const more = unit.filter(item => !spared.has(item))
    items -= more.length
    tokens -= estimateTokens(more)
    if (items < 0 || tokens < 0) break
    start--
  }
  return start
}
