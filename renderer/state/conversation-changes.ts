import type { Event } from '../../server/api/events.ts'

/** What the agent did to one file through the file editor, from the first edit's before to the last one's after. */
export interface FileChange {
  readonly path: string
  /** null: the file did not exist. */
  readonly before: string | null
  readonly after: string
  readonly edits: number
  /** False where a text was too large to be recorded, so that no diff can be shown. */
  readonly complete: boolean
}

/** Files in the order in which they were first touched; a file that is back where it began is not among them. */
export function changesOf(events: readonly Event[]): FileChange[] {
  const changes = new Map<string, FileChange>()
  for (const event of events) {
    if (event.kind !== 'ObservationEvent' || event.observation.kind !== 'FileEditorObservation') continue
    const { command, path, is_error, prev_exist, old_content, new_content } = event.observation
    if (command === 'view' || is_error) continue
    const known = changes.get(path)
    const recorded = new_content !== undefined && (!prev_exist || old_content !== undefined)
    changes.set(path, {
      path,
      before: known ? known.before : prev_exist ? (old_content ?? '') : null,
      after: new_content ?? '',
      edits: (known?.edits ?? 0) + 1,
      complete: recorded && (known?.complete ?? true),
    })
  }
  return [...changes.values()].filter(({ before, after, complete }) => !complete || before !== after)
}
