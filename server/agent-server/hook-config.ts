import type { HooksConfig } from '../domain/hooks-config.ts'

/** Hooks as agent servers write them. */
export function withSnakeKeys(config: HooksConfig) {
  const shown = (matchers: HooksConfig['Stop']) =>
    matchers.map(({ matcher, hooks }) => ({ matcher: matcher || '*', hooks }))
  return {
    pre_tool_use: shown(config.PreToolUse),
    post_tool_use: shown(config.PostToolUse),
    user_prompt_submit: shown(config.UserPromptSubmit),
    session_start: shown(config.SessionStart),
    session_end: shown(config.SessionEnd),
    stop: shown(config.Stop),
  }
}
