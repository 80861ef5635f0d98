import { z } from 'zod'
import { HOOK_EVENT_TYPES } from '../api/event/events.ts'
import { BOUNDS } from './bounds.ts'
import { matcherProblem } from './hook-matcher.ts'
import { isRecord } from './is-record.ts'

/** Where a repository configures its hooks. */
export const HOOKS_FILE = '.openhands/hooks.json'

export type HookEventType = (typeof HOOK_EVENT_TYPES)[number]

export const hookDefinition = z.strictObject({
  type: z.enum(['command', 'prompt', 'agent']).default('command'),
  name: z.string().nullish(),
  command: z.string().nullish(),
  prompt: z.string().nullish(),
  system_prompt: z.string().nullish(),
  tools: z.array(z.string()).nullish(),
  /** seconds */
  timeout: z.number().positive().max(3600).default(60),
  max_iterations: z.int().positive().default(3),
  /** Nobody waits for it, and what it says is not heard. */
  async: z.boolean().default(false),
})
export type HookDefinition = z.output<typeof hookDefinition>

const MAX_MATCHERS = 50
const hookMatcher = z.strictObject({
  matcher: z.string().max(BOUNDS.hookMatcher.limit).nullish(),
  hooks: z.array(hookDefinition).max(MAX_MATCHERS).default([]),
})

const matchers = z.array(hookMatcher).max(MAX_MATCHERS).default([])

/** By event; what a repository's hooks file says, in one style. */
export const hooksConfig = z.strictObject({
  PreToolUse: matchers,
  PostToolUse: matchers,
  UserPromptSubmit: matchers,
  SessionStart: matchers,
  SessionEnd: matchers,
  Stop: matchers,
} satisfies Record<HookEventType, typeof matchers>)
export type HooksConfig = z.output<typeof hooksConfig>

export interface ReadHooks {
  /** null when there are none, or none that can be understood. */
  config: HooksConfig | null
  problems: string[]
}

/** Understands the text of a hooks file: keys in either style, the whole perhaps under `hooks`. Never throws. */
export function readHooks(text: string | null): ReadHooks {
  if (text === null) return { config: null, problems: [] }
  try {
    const config = parseHooks(JSON.parse(text))
    return { config: isEmpty(config) ? null : config, problems: [...notRun(config), ...notMatched(config)] }
  } catch (error) {
    return failed(error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : 'it is not JSON')
  }
}

/** @throws Error with what is wrong */
export function parseHooks(given: unknown): HooksConfig {
  const parsed = hooksConfig.safeParse(withPascalKeys(isRecord(given) && 'hooks' in given ? unwrapped(given) : given))
  if (parsed.success) return parsed.data
  throw new Error(parsed.error.issues.map(toWords).slice(0, 5).join('; '))
}

/** Those of `first` come before those of `second`. */
export function mergeHooks(first: HooksConfig | null, second: HooksConfig | null): HooksConfig | null {
  if (!first || !second) return first ?? second
  const events = HOOK_EVENT_TYPES.map(type => [type, [...first[type], ...second[type]]])
  return hooksConfig.parse(Object.fromEntries(events))
}

function unwrapped({ hooks, ...others }: Record<string, unknown>): unknown {
  const unknown = Object.keys(others)
  if (unknown.length > 0) throw new Error(`unknown keys beside "hooks": ${unknown.join(', ').slice(0, 100)}`)
  return hooks
}

function withPascalKeys(value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [BY_SNAKE.get(key) ?? key, each ?? []]))
}

/** `pre_tool_use` of `PreToolUse`. */
export function snakeCase(type: HookEventType): string {
  return type.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
}

const BY_SNAKE: ReadonlyMap<string, HookEventType> = new Map(HOOK_EVENT_TYPES.map(type => [snakeCase(type), type]))

function toWords({ path, message }: z.core.$ZodIssue): string {
  return path.length > 0 ? `${path.join('.')}: ${message}` : message
}

function failed(why: string): ReadHooks {
  return { config: null, problems: [`${HOOKS_FILE} is not understood, so that no hook runs: ${why}.`] }
}

/** Whether nothing is to be done at any moment. */
export function isEmpty(config: HooksConfig): boolean {
  return Object.values(config).every(list => list.every(({ hooks }) => hooks.length === 0))
}

/** Whether it says what to run or to ask. */
export function isRun({ type, command, prompt }: HookDefinition): boolean {
  return Boolean((type === 'command' ? command : prompt)?.trim())
}

function notRun(config: HooksConfig): string[] {
  return missingIn(config).map(missing => `${HOOKS_FILE}: a hook without a ${missing} is not run.`)
}

function notMatched(config: HooksConfig): string[] {
  return matcherProblems(config).map(problem => `${HOOKS_FILE}: ${problem}, so that its hooks are not run.`)
}

/** What is wrong with matchers, each as the beginning of a sentence. */
export function matcherProblems(config: HooksConfig): string[] {
  const matchers = new Set(Object.values(config).flatMap(list => list.map(({ matcher }) => matcher)))
  return [...matchers].flatMap(matcher => {
    const problem = matcherProblem(matcher)
    return problem === null ? [] : [`the matcher ${String(matcher).slice(0, MAX_SHOWN_LENGTH)} ${problem}`]
  })
}

const MAX_SHOWN_LENGTH = 100

/** What hooks lack that would be run or asked. */
export function missingIn(config: HooksConfig): string[] {
  const hooks = Object.values(config).flatMap(list => list.flatMap(matcher => matcher.hooks))
  const empty = hooks.filter(hook => !isRun(hook)).map(({ type }) => (type === 'command' ? type : 'prompt'))
  return [...new Set(empty)]
}
