import { BROWSER_TOOLS } from '../api/agent-tools.ts'
import { ANSWER_REVIEW_COMMENT } from '../api/event/review-comments.ts'
import type { AgentOptions } from '../domain/agent-options.ts'
import { matchesPattern } from '../domain/hook-matcher.ts'
import { INVOKE_SKILL } from './invoke-skill.ts'
import type { Tool } from './tool.ts'

const DEFAULTS: ReadonlySet<string> = new Set(['finish', 'think'])

/**
 * What a client leaves its agent of the own tools and of those that clients and tool servers have given. Skills can be read
 * and reviews answered where there are any; an expression for names does not concern the default tools.
 */
export function chosenTools(
  { own, given }: { own: readonly Tool[]; given: readonly Tool[] },
  { tools, toolPattern, defaultTools }: Pick<AgentOptions, 'tools' | 'toolPattern' | 'defaultTools'>,
): Tool[] {
  const isChosen = ({ name }: Tool) =>
    tools === null ||
    name === INVOKE_SKILL ||
    name === ANSWER_REVIEW_COMMENT ||
    tools.includes(name) ||
    (name.startsWith('browser_') && tools.includes(BROWSER_TOOLS))
  const isDefault = ({ name }: Tool) => DEFAULTS.has(name) && (!defaultTools || defaultTools.some(one => one === name))
  const matches = ({ name }: Tool) => toolPattern === null || matchesPattern(toolPattern, name)
  return [...own, ...given].filter(tool => {
    if (isDefault(tool)) return true
    if (DEFAULTS.has(tool.name) && !tools?.includes(tool.name)) return false
    return (given.includes(tool) || isChosen(tool)) && matches(tool)
  })
}
