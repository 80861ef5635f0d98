import { posix } from 'node:path'
import type { Action } from '../api/event/actions.ts'

const MAX_WORDS = 200

/** The files that an action is about, as absolute paths of the sandbox; of a command, every word that may be one. */
export function touchedPaths(action: Action, workingDir: string): string[] {
  return namedIn(action).map(path => posix.resolve(workingDir, path))
}

function namedIn(action: Action): string[] {
  switch (action.kind) {
    case 'FileEditorAction':
      return [action.path]
    case 'ApplyPatchAction':
      return [...action.patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(match =>
        (match[1] ?? '').trim(),
      )
    case 'GrepAction':
    case 'GlobAction':
      return action.path === undefined ? [] : [action.path]
    case 'TerminalAction':
      return action.is_input ? [] : wordsOf(action.command)
    default:
      return []
  }
}

function wordsOf(command: string): string[] {
  return command
    .slice(0, 10_000)
    .split(/[\s;|&<>()"'`=]+/)
    .filter(word => /[./]/.test(word) && word.length <= 300 && !word.includes('://'))
    .slice(0, MAX_WORDS)
}
