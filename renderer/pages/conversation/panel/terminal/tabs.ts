import type { TerminalInfo } from '../../../../../server/api/v1/sandbox/terminals.ts'

/** The tab of the agent's shell, which is always there, before those of the terminals. */
export const AGENT = 'agent'

export type Tab = TerminalInfo | typeof AGENT

export function idOf(tab: Tab): string {
  return tab === AGENT ? AGENT : tab.id
}

/** The id of the tab so many places after this one, or before it where `by` is negative; after the last comes the first. */
export function tabBeside(terminals: readonly TerminalInfo[], tab: Tab, by: number): string {
  const ids = [AGENT, ...terminals.map(idOf)]
  return ids.at((ids.indexOf(idOf(tab)) + by) % ids.length) ?? AGENT
}
