import type { Action } from '../../api/event/actions.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { clip, type Finding } from './finding.ts'
import { type ClassifiedPath, classifyPath, findingOfRead, findingOfWrite } from './paths.ts'

/** What a tool server says of its tool. These are its own words: they may raise a rating, and lower it only to LOW. */
export interface ToolHints {
  readOnlyHint?: boolean | undefined
  destructiveHint?: boolean | undefined
}

type PathOf = (path: string) => ClassifiedPath
type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

export function findingsOfEdit(action: Of<'FileEditorAction'>, place: PathOf): Finding[] {
  const at = place(action.path)
  return present(action.command === 'view' ? findingOfRead(at) : findingOfWrite(at))
}

const PATCHED = /^\*\*\* (Add File|Update File|Delete File|Move to):(.*)$/gm
/** Each file of a patch may be moved. */
const MAX_PATHS = 2 * BOUNDS.patchedFiles.limit

export function findingsOfPatch({ patch }: Of<'ApplyPatchAction'>, place: PathOf): Finding[] {
  const findings: Finding[] = []
  let paths = 0
  for (const [, verb, written = ''] of patch.matchAll(PATCHED)) {
    if (++paths > MAX_PATHS) return [...findings, { risk: 'HIGH', reason: 'Names more files than can be checked' }]
    const path = written.trim()
    const found = path === '' ? null : findingOfWrite(place(path))
    if (found) findings.push(verb === 'Delete File' ? { ...found, reason: `Deletes ${clip(path)}` } : found)
  }
  return findings
}

export function findingsOfSearch({ path }: { path?: string | undefined }, place: PathOf): Finding[] {
  return path === undefined ? [] : present(findingOfRead(place(path)))
}

export function findingsOfToolCall(
  data: Record<string, unknown>,
  hints: ToolHints | undefined,
  place: PathOf,
): Finding[] {
  const found = textsIn(data).flatMap(text => (/^[~/.]/.test(text) ? present(findingOfRead(place(text))) : []))
  if (hints?.destructiveHint && !hints.readOnlyHint)
    return [...found, { risk: 'HIGH', reason: 'Calls a tool that can delete or overwrite things, as its server says' }]
  if (hints?.readOnlyHint) return found
  return [...found, { risk: 'MEDIUM', reason: 'Calls a tool of a tool server, which may change things' }]
}

const MAX_TEXTS = 200
const MAX_VALUES = 2000

function textsIn(data: unknown): string[] {
  const found: string[] = []
  const open: unknown[] = [data]
  for (let steps = 0; open.length > 0 && steps < MAX_VALUES && found.length < MAX_TEXTS; steps++) {
    const value = open.pop()
    if (typeof value === 'string') found.push(value)
    else if (value !== null && typeof value === 'object') {
      for (const each of Object.values(value).slice(0, MAX_VALUES)) open.push(each)
    }
  }
  return found
}

function present(finding: Finding | null): Finding[] {
  return finding ? [finding] : []
}

/** Paths of tools are relative to the working directory, wherever the shell stands. */
export function pathsFrom(workingDir: string): PathOf {
  return path => classifyPath(path, { cwd: workingDir || '/', workingDir })
}
