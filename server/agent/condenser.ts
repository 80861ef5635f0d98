import type { Event, EventOf, NewEvent } from '../api/event/events.ts'
import { isAppError } from '../domain/errors.ts'
import { type Summary, type ViewItem, viewOf } from '../event/condensed.ts'
import { textOf } from '../event/model-messages.ts'
import type { Complete, Completion, CompletionRequest } from '../llm/completion.ts'
import { clipMiddle } from '../text/clip.ts'
import { factsOf, withoutFacts } from './condenser/facts.ts'
import { type ConversationSize, condensationNeed, MAX_WINDOW_SHARE, type Need } from './condenser/need.ts'
import { SUMMARY_SYSTEM_PROMPT, summaryPrompt } from './condenser/prompt.ts'
import { type Selection, select, type Targets } from './condenser/selection.ts'
import { CHARACTERS_PER_TOKEN, estimateTokens } from './condenser/size.ts'
import { outlineOf, quoted, type Room, transcriptOf } from './condenser/transcript.ts'
import type { RunCondenser } from './run.ts'

export const DEFAULT_MAX_EVENTS = 240
export const DEFAULT_KEEP_FIRST = 4

export interface CondenserOptions {
  complete: Complete
  /** How many events the model may see; null condenses only when asked to, or when the model refuses the length. */
  maxEvents: number | null
  keepFirst: number
  /** Tokens of a prompt after which the model is taken to be full; null leaves it to its context window. */
  maxTokens?: number | null
  /** `condenser` when absent. */
  usageId?: string
  onRetry: CompletionRequest['onRetry']
}

export interface Condensed {
  event: NewEvent
  /** Every answer of the model that was paid for; none when it could not sum up and the log itself had to do. */
  completions: Completion[]
}

/** The loop's condenser: looks before each step whether there is need, and meets it. */
export function createCondenser(options: CondenserOptions): RunCondenser {
  return {
    usageId: options.usageId ?? 'condenser',
    async condense(branch, { force, stats, signal }) {
      const usage = stats.last_step?.usage ?? null
      const circumstances: ConversationSize = {
        maxEvents: options.maxEvents,
        contextWindow: smaller(
          usage?.context_window || null,
          options.maxTokens ? options.maxTokens / MAX_WINDOW_SHARE : null,
        ),
        usage,
        refused: force,
      }
      const need = condensationNeed(branch, circumstances)
      return need === 'none' ? null : condense(branch, need, { ...options, ...circumstances, signal })
    },
  }
}

function smaller(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

/**
 * Sums up what the model need not read word for word any more.
 *
 * INVARIANTS: the task and the newest message of a person stay, or stand word for word in the summary when they are too
 * large themselves; calls stay with their results; after a hard need less is left than before, whatever the model says.
 * @returns null when there is nothing worth summing up, or when a soft need can wait because the model could not do it
 * @throws AppError llm_* when the model cannot be reached, or the signal's reason
 */
export async function condense(
  branch: readonly Event[],
  need: Exclude<Need, 'none'>,
  options: Omit<CondenserOptions, 'maxEvents' | 'maxTokens'> &
    Pick<ConversationSize, 'maxEvents' | 'contextWindow'> &
    SummaryCall,
): Promise<Condensed | null> {
  const view = viewOf(branch)
  const selection = choose(view, need, options)
  if (!selection) return null
  const facts = factsOf(branch, new Set(selection.kept.map(({ id }) => id)))
  const { text, completions } = await summarise(selection, facts, options)
  const summary = text ?? (need === 'hard' ? outline(selection) : null)
  if (summary === null) return null
  const share = (options.contextWindow ?? Number.POSITIVE_INFINITY) * CHARACTERS_PER_TOKEN * SUMMARY_SHARE
  const parts = [shortened(summary, Math.min(MAX_SUMMARY, share)), shortened(facts, Math.min(MAX_FACTS, share))]
  const event: NewEvent = {
    kind: 'Condensation',
    source: 'environment',
    forgotten_event_ids: selection.forgotten.map(({ id }) => id),
    summary: parts.filter(part => part !== '').join('\n\n'),
    summary_offset: selection.offset,
    llm_response_id: completions.at(-1)?.responseId ?? 'none',
  }
  return { event, completions }
}

interface SummaryCall {
  signal: AbortSignal
}

function shortened(text: string, limit: number): string {
  return clipMiddle(text, Math.floor(limit), () => '\n[…]\n')
}

/** Characters, without what is taken from the log. */
const MAX_SUMMARY = 24_000
/** Characters, of what is taken from the log. */
const MAX_FACTS = 30_000
/** Of the window, for each of the two. */
const SUMMARY_SHARE = 0.12

/** Half of what there may be; for a hard need also at most half of what there is, so that it always gets smaller. */
function choose(
  view: readonly ViewItem[],
  need: Exclude<Need, 'none'>,
  {
    maxEvents,
    contextWindow,
    keepFirst,
  }: Pick<CondenserOptions, 'maxEvents' | 'keepFirst'> & Pick<ConversationSize, 'contextWindow'>,
): Selection | null {
  const most = maxEvents ?? DEFAULT_MAX_EVENTS
  const targets: Targets = {
    keepFirst: Math.min(keepFirst, Math.ceil(most / 2) - 1),
    items: Math.floor(most / 2),
    tokens: (contextWindow ?? Number.POSITIVE_INFINITY) * HALF_FULL,
    leastForgotten: { items: Math.max(2, Math.ceil(view.length * MIN_PROGRESS)), tokens: 0 },
  }
  if (need === 'soft') {
    const selection = select(view, targets, false)
    return selection?.kept.at(-1) === view.at(-1) ? selection : null
  }
  const hard: Targets = {
    ...targets,
    items: Math.min(targets.items, Math.ceil(view.length / 2)),
    tokens: Math.min(targets.tokens, estimateTokens(view) / 2),
    leastForgotten: { items: 1, tokens: WORTH_A_SUMMARY },
  }
  const gentle = select(view, hard, false)
  return gentle && estimateTokens(gentle.kept) <= hard.tokens ? gentle : (select(view, hard, true) ?? gentle)
}

const HALF_FULL = 0.4
/** Of the events; with less than this forgotten, the next condensation comes too soon. */
const MIN_PROGRESS = 0.1
/** Tokens; a summary of less would be longer than what it stands for. */
const WORTH_A_SUMMARY = 300

/** @returns no text when the model cannot read even the shortest form, refuses, or answers with nothing */
async function summarise(
  { forgotten, kept }: Selection,
  facts: string,
  {
    complete,
    contextWindow,
    signal,
    onRetry,
  }: Pick<CondenserOptions, 'complete' | 'onRetry'> & Pick<ConversationSize, 'contextWindow'> & SummaryCall,
): Promise<{ text: string | null; completions: Completion[] }> {
  const completions: Completion[] = []
  const log = forgotten.filter(item => item.kind !== 'CondensationSummaryEvent')
  const frame = {
    task: taskOf(kept),
    earlierSummary: earlierSummary(forgotten),
    facts,
    words: maxWordsFor(contextWindow),
  }
  for (let attempt = 0; attempt <= RETRIES; attempt++) {
    const scale = SHRINK ** attempt
    const room = tokensFor(contextWindow, Object.values(frame).join('').length, scale)
    const prompt = summaryPrompt({
      words: frame.words,
      task: quoted(frame.task),
      earlierSummary: quoted(shortened(frame.earlierSummary, room.all)),
      facts: quoted(shortened(frame.facts, room.all)),
      log: transcriptOf(log, room),
    })
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: prompt }] }]
    try {
      const request = { system: SUMMARY_SYSTEM_PROMPT, messages, tools: [], signal, onDelta: () => {}, onRetry }
      completions.push(await complete(request))
    } catch (error) {
      if (signal.aborted || !isAppError(error)) throw error
      if (TOO_LONG.has(error.code)) continue
      if (REFUSED.has(error.code)) break
      throw error
    }
    const text = cleaned(completions.at(-1)?.text ?? '')
    if (text !== '') return { text, completions }
    if (completions.length === MAX_EMPTY) break
  }
  return { text: null, completions }
}

const RETRIES = 5
const SHRINK = 0.8
const MAX_EMPTY = 2
const TOO_LONG: ReadonlySet<string> = new Set(['llm_context_exceeded', 'llm_history_refused'])
const REFUSED: ReadonlySet<string> = new Set(['llm_content_policy', 'llm_bad_request'])

/** Half of the window for the log; where the window is unknown, what most models can read. */
function tokensFor(contextWindow: number | null, besides: number, scale: number): Room {
  const all = contextWindow === null ? 200_000 : contextWindow * CHARACTERS_PER_TOKEN * 0.6 - besides
  return { entry: Math.floor(8_000 * scale), all: Math.floor(Math.max(all, 4_000) * scale) }
}

function maxWordsFor(contextWindow: number | null): number {
  const words = contextWindow === null ? MAX_WORDS : contextWindow * SUMMARY_SHARE * WORDS_PER_TOKEN
  return Math.round(Math.min(MAX_WORDS, Math.max(MIN_WORDS, words)))
}

const MAX_WORDS = 1_500
const MIN_WORDS = 150
const WORDS_PER_TOKEN = 0.6

/** What the agent still reads of it for itself, for the one who sums up. */
function taskOf(kept: readonly ViewItem[]): string {
  const spoken = kept.filter((item): item is EventOf<'MessageEvent'> => item.kind === 'MessageEvent')
  const said = spoken.filter(({ source }) => source === 'user').map(message => textOf(message.llm_message.content))
  return said.map(text => shortened(text, 4_000)).join('\n\n')
}

function earlierSummary(forgotten: readonly ViewItem[]): string {
  const summaries = forgotten.filter((item): item is Summary => item.kind === 'CondensationSummaryEvent')
  return summaries.map(({ text }) => withoutFacts(text)).join('\n\n')
}

/** Reasoning and wrapping that some models put around an answer. */
function cleaned(text: string): string {
  return text
    .replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, '')
    .replace(/<\/?summary>/gi, '')
    .replace(/^\s*```(?:markdown|md)?\s*\n([\s\S]*?)\n```\s*$/i, '$1')
    .trim()
}

/** What stands for the summary when no model can write one. */
function outline({ forgotten }: Selection): string {
  const earlier = shortened(earlierSummary(forgotten), 8_000)
  const log = forgotten.filter(item => item.kind !== 'CondensationSummaryEvent')
  const done = `## What was done\nNo summary could be written. The calls and what came of them, shortened:\n${outlineOf(log, 60)}`
  return [earlier, done].filter(part => part !== '').join('\n\n')
}
