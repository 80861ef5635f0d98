import type { Event } from '../../../server/api/event/events.ts'
import type { Observation } from '../../../server/api/event/observations.ts'
import type { GitChange } from '../../../server/api/v1/conversation/git-changes.ts'

/** What the agent did to one file with its editing tools, from the first edit's before to the last one's after. */
export interface FileChange {
  readonly path: string
  /** null: the file did not exist. */
  readonly before: string | null
  /** null: the file was deleted. */
  readonly after: string | null
  readonly edits: number
  /** False where a text was too large to be recorded, so that no diff can be shown. */
  readonly complete: boolean
}

interface Edit {
  path: string
  before: string | null
  after: string | null
  complete: boolean
}

/** Files in the order in which they were first touched; a file that is back where it began is not among them. */
export function changesOf(events: readonly Event[]): FileChange[] {
  const changes = new Map<string, FileChange>()
  for (const event of events) {
    if (event.kind !== 'ObservationEvent' || event.observation.is_error) continue
    for (const { path, before, after, complete } of editsOf(event.observation)) {
      const name = knownName(changes, path)
      const known = changes.get(name)
      changes.set(name, {
        path: name,
        before: known ? known.before : before,
        after,
        edits: (known?.edits ?? 0) + 1,
        complete: complete && (known?.complete ?? true),
      })
    }
  }
  return [...changes.values()].filter(({ before, after, complete }) => !complete || before !== after)
}

export interface ShownChanges {
  /** Files that the agent edited with its tools. */
  readonly edits: readonly FileChange[]
  /** What else git sees changed, from the working directory on. */
  readonly others: readonly GitChange[]
}

/**
 * Each changed file once. Git names files from the working directory on.
 * @param seen what git sees
 * @param complete whether all events are loaded; when they are not, a file's first edit may be missing, and git knows more
 */
export function shownChanges(
  edits: readonly FileChange[],
  seen: readonly GitChange[],
  complete: boolean,
): ShownChanges {
  if (complete) return { edits, others: seen.filter(({ path }) => !edits.some(edit => isSameFile(edit, path))) }
  return { edits: edits.filter(edit => !seen.some(({ path }) => isSameFile(edit, path))), others: seen }
}

function isSameFile(edit: FileChange, path: string): boolean {
  return edit.path === path || edit.path.endsWith(`/${path}`)
}

/** Patches name files from the working directory on, the file editor by their whole paths: both can mean the same file. */
function knownName(changes: ReadonlyMap<string, FileChange>, path: string): string {
  if (changes.has(path)) return path
  return [...changes.keys()].find(name => name.endsWith(`/${path}`) || path.endsWith(`/${name}`)) ?? path
}

function editsOf(observation: Observation): Edit[] {
  if (observation.kind === 'ApplyPatchObservation') return patchEdits(observation)
  if (observation.kind !== 'FileEditorObservation' || observation.command === 'view') return []
  const { path, prev_exist, old_content, new_content } = observation
  const complete = new_content !== undefined && (!prev_exist || old_content !== undefined)
  return [{ path, before: prev_exist ? (old_content ?? '') : null, after: new_content ?? '', complete }]
}

/** A file that moved is deleted at its old place and new at the other. */
function patchEdits({ commit }: Extract<Observation, { kind: 'ApplyPatchObservation' }>): Edit[] {
  return Object.entries(commit?.changes ?? {}).flatMap(([path, { type, old_content, new_content, move_path }]) => {
    const complete = (type === 'add' || old_content !== undefined) && (type === 'delete' || new_content !== undefined)
    const before = type === 'add' ? null : (old_content ?? '')
    const after = type === 'delete' ? null : (new_content ?? '')
    if (!move_path) return [{ path, before, after, complete }]
    return [
      { path, before, after: null, complete },
      { path: move_path, before: null, after, complete },
    ]
  })
}
