import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Action } from '../../api/event/actions.ts'
import type { SecurityRisk } from '../../api/v1/conversation/confirmation.ts'
import { hostOf } from '../../text/address-host.ts'
import { prefixesOf } from './command-kind.ts'

/** What a person allows with "always": a group of calls, or one call and nothing else. */
export type CallKind =
  | { scope: 'group'; tool: string; level: 'LOW' | 'MEDIUM'; of: string }
  | { scope: 'exact'; tool: string; of: string }

export function kindOfAction(tool: string, action: Action, risk: SecurityRisk): CallKind {
  const of = risk === 'LOW' || risk === 'MEDIUM' ? groupOf(action, risk) : null
  if (of === null || (risk !== 'LOW' && risk !== 'MEDIUM')) return { scope: 'exact', tool, of: fingerprint(action) }
  return { scope: 'group', tool, level: risk, of }
}

/** Inside a tool: the words that calls of one kind share. Null when each call stands for itself. */
function groupOf(action: Action, risk: 'LOW' | 'MEDIUM'): string | null {
  switch (action.kind) {
    case 'TerminalAction':
      if (action.reset || action.is_input) return null
      return prefixesOf(action.command)?.join(' | ') ?? null
    case 'FileEditorAction':
      if (action.command === 'view') return 'view'
      return risk === 'LOW' ? 'edit' : `edit in ${posix.dirname(posix.normalize(action.path))}`
    case 'ApplyPatchAction':
      return risk === 'LOW' ? 'edit' : null
    case 'BrowserNavigateAction':
      return hostOf(action.url)
    case 'BrowserClickAction':
    case 'BrowserTypeAction':
      // On which site it would be, the call does not say.
      return risk === 'LOW' ? '' : null
    default:
      return ''
  }
}

const MAX_LENGTH = 200

/** The call itself as text; a long one as its beginning and a hash, which a short text cannot imitate. */
function fingerprint(action: Action): string {
  const text =
    action.kind === 'TerminalAction' && !action.is_input && !action.reset ? action.command : JSON.stringify(action)
  if (text.length <= MAX_LENGTH) return `text:${text}`
  return `hash:${createHash('sha256').update(text).digest('hex')}:${text.slice(0, 80)}`
}

export function writeKind(kind: CallKind): string {
  return kind.scope === 'group' ? `${kind.tool}:${kind.level}:${kind.of}` : `${kind.tool}:exact:${kind.of}`
}

export function readKind(key: string): CallKind | null {
  const [, tool = '', level = '', of = ''] = /^([^:]*):(LOW|MEDIUM|exact):([\s\S]*)$/.exec(key) ?? []
  if (level === 'exact') return { scope: 'exact', tool, of }
  return level === 'LOW' || level === 'MEDIUM' ? { scope: 'group', tool, level, of } : null
}

export function covers(allowed: CallKind, kind: CallKind): boolean {
  if (allowed.scope !== kind.scope || allowed.tool !== kind.tool || allowed.of !== kind.of) return false
  return allowed.scope === 'exact' || kind.scope === 'exact' || allowed.level === 'MEDIUM' || kind.level === 'LOW'
}
