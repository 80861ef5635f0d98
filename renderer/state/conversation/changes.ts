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

/** What git sees changed beside the edits: what commands wrote. Git names files from the working directory on. */
export function otherChanges(seen: readonly GitChange[], edits: readonly FileChange[]): GitChange[] {
  return seen.filter(({ path }) => !edits.some(edit => edit.path === path || edit.path.endsWith(`/${path}`)))
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
