import type { HOOK_EVENT_TYPES } from '../../../server/api/event/events.ts'
import { t } from './text.ts'

const MOMENTS = {
  PreToolUse: t('beforeCall'),
  PostToolUse: t('afterCall'),
  UserPromptSubmit: t('onMessage'),
  SessionStart: t('atStart'),
  SessionEnd: t('atEnd'),
  Stop: t('beforeAgentFinishes'),
} as const satisfies Record<(typeof HOOK_EVENT_TYPES)[number], string>

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(MOMENTS).map(([moment, words]) => [moment.toLowerCase(), words]),
)

/**
 * When a hook runs.
 * @param moment as the log names it (`PreToolUse`) or the list of hooks (`pre_tool_use`)
 * @param tools the tool that was called, or the pattern of those that count; '*' and '' are all
 */
export function hookMoment(moment: string, tools = ''): string {
  const words = WORDS.get(moment.replaceAll('_', '').toLowerCase()) ?? moment
  return tools && tools !== '*' ? t('momentOfTools', { moment: words, tools }) : words
}
