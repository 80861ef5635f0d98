import type { Action } from '../../api/event/actions.ts'
import type { Observation } from '../../api/event/observations.ts'
import { textOf } from '../../event/model-messages.ts'

export type BrowserAction = Extract<Action, { kind: `Browser${string}` }>
type BrowserObservation = Extract<Observation, { kind: 'BrowserObservation' }>

/** The legacy generation opens a page with one action, and says everything else that is done in it as calls. */
export function browserWords(action: BrowserAction, common: { thought: string; security_risk: number }) {
  if (action.kind === 'BrowserNavigateAction') {
    const args = { url: action.url, return_axtree: false, ...common }
    return { action: 'browse', args, message: `I am browsing the URL: ${action.url}` }
  }
  const { kind, ...parameters } = action
  const name = kind.replace(/^Browser|Action$/g, '').replace(/(?!^)[A-Z]/g, '_$&')
  const browser_actions = `${name.toLowerCase()}(${JSON.stringify(parameters)})`
  const args = { browser_actions, browsergym_send_msg_to_user: '', return_axtree: false, ...common }
  return { action: 'browse_interactive', args, message: `I am interacting with the browser: ${browser_actions}` }
}

/** What came of it; what this browser does not tell is empty, as clients expect of a page without it. */
export function browserResultWords(result: BrowserObservation, action: Action | null | undefined) {
  const content = textOf(result.content)
  const visit = action?.kind === 'BrowserNavigateAction'
  const extras = {
    url: visit ? action.url : '',
    trigger_by_action: visit ? 'browse' : 'browse_interactive',
    screenshot: result.screenshot_data ?? '',
    screenshot_path: null,
    set_of_marks: '',
    error: result.is_error,
    goal_image_urls: [],
    open_pages_urls: [],
    active_page_index: -1,
    last_browser_action: '',
    last_browser_action_error: result.is_error ? content : '',
    focused_element_bid: '',
    filter_visible_only: false,
  }
  return { observation: 'browse', content, extras, message: visit ? `Visited ${action.url}` : 'Used the browser.' }
}
