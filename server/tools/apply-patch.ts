import { posix } from 'node:path'
import { z } from 'zod'
import { type Action, applyPatchAction } from '../api/event/actions.ts'
import type { Observation } from '../api/event/observations.ts'
import { BOUNDS } from '../domain/bounds.ts'
import type { EditHistory } from './file-editor/history.ts'
import { messageForModel } from './file-editor/problem.ts'
import { type PatchedFile, planPatch } from './patch/apply.ts'
import { commitChanges } from './patch/commit.ts'
import { parsePatch } from './patch/parse.ts'
import { type Tool, type ToolContext, type ToolHost, text } from './tool.ts'

type ApplyPatchAction = Extract<Action, { kind: 'ApplyPatchAction' }>
type ApplyPatchObservation = Extract<Observation, { kind: 'ApplyPatchObservation' }>
type Changes = NonNullable<ApplyPatchObservation['commit']>['changes']

const DESCRIPTION = `Change several files, or several places of a file, in one step: all of it is done or nothing.

*** Begin Patch
*** Update File: src/app.py
@@ def main():
     parser = make_parser()
-    args = parser.parse()
+    args = parser.parse_args()
     run(args)
*** Add File: docs/notes.md
+# Notes
*** Delete File: old.py
*** End Patch

* Paths are relative to the working directory and stay inside it. \`*** Move to: new/path\` after an Update line renames the file.
* In an update each line begins with a blank (as it stands in the file), \`-\` (removed) or \`+\` (added). Give about three lines as they stand before and after each change; where they stand in several places, name the function or class above after \`@@\`. Changes of a file come in its order, each after a line \`@@\`. \`*** End of File\` after a change says that it reaches to the end.
* Every line of a new file begins with \`+\`.
* file_editor's undo_edit takes an update of a file back.`

const parameters = z.object({
  patch: z.string().describe('The patch, from `*** Begin Patch` to `*** End Patch`.'),
})

/** @param history where the file editor finds what it can take back */
export function createApplyPatch(host: ToolHost, history: EditHistory): Tool<ApplyPatchAction> {
  return {
    name: 'apply_patch',
    description: DESCRIPTION,
    parameters,
    readOnly: false,
    toAction: given => applyPatchAction.parse({ kind: 'ApplyPatchAction', ...parameters.parse(given) }),
    run: (action, context) => run(action, { host, history }, context),
    close: async () => {},
  }
}

async function run(
  action: ApplyPatchAction,
  { host, history }: { host: ToolHost; history: EditHistory },
  { signal }: ToolContext,
): Promise<ApplyPatchObservation> {
  signal.throwIfAborted()
  const sandbox = await host.sandbox()
  try {
    const { files, fuzz } = await planPatch(sandbox, parsePatch(action.patch), signal)
    signal.throwIfAborted()
    await commitChanges(sandbox, files.map(toChange(files)))
    for (const { path, before, after } of files) {
      if (before && after) history.add(posix.join(sandbox.workingDir, path), { before, after })
    }
    const message = host.mask(summary(files, fuzz))
    const changes = changesOf(files, host.mask)
    return {
      kind: 'ApplyPatchObservation',
      content: text(message),
      is_error: false,
      message,
      fuzz,
      commit: { changes },
    }
  } catch (error) {
    const told = messageForModel(error)
    if (told === undefined) throw error
    const message = host.mask(told)
    return { kind: 'ApplyPatchObservation', content: text(message), is_error: true, message, fuzz: 0 }
  }
}

function toChange(files: readonly PatchedFile[]) {
  return ({ target, before, after, movedFrom }: PatchedFile) => {
    const source = files.find(file => file.path === movedFrom)
    return { target, content: after, like: before ? target : source?.target }
  }
}

function summary(files: readonly PatchedFile[], fuzz: number): string {
  const rows = files.flatMap(file => {
    const { path, before, after, movedFrom, places } = file
    if (!after) return movedTo(files, path) ? [] : [`D ${path}`]
    const where = places.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
    const lines = where === '' ? '' : ` (now lines ${where})`
    if (movedFrom !== undefined) return [`R ${movedFrom} -> ${path}${lines}`]
    return [before ? `M ${path}${lines}` : `A ${path}`]
  })
  const bent =
    fuzz > 0
      ? '\nThe context did not match to the letter (white space, punctuation or place): look at the changed lines.'
      : ''
  return `Done! Updated the following files:\n${rows.join('\n')}${bent}`
}

function movedTo(files: readonly PatchedFile[], path: string): PatchedFile | undefined {
  return files.find(file => file.movedFrom === path && file.after !== undefined)
}

function changesOf(files: readonly PatchedFile[], mask: (text: string) => string): Changes {
  const changes: Changes = {}
  let recorded = 0
  for (const { path, after, beforeText, afterText, movedFrom } of files) {
    if (movedFrom !== undefined && after) continue
    const goal = after ? undefined : movedTo(files, path)
    const contents = [
      ['old_content', beforeText],
      ['new_content', goal ? goal.afterText : afterText],
    ] as const
    recorded += contents.reduce((sum, [, value]) => sum + (isRecorded(value) ? value.length : 0), 0)
    const shown =
      recorded > BOUNDS.recordedPatch.limit
        ? []
        : contents.flatMap(([name, value]) => (isRecorded(value) ? [[name, mask(value)]] : []))
    const type = beforeText === undefined ? 'add' : after || goal ? 'update' : 'delete'
    changes[path] = { type, ...Object.fromEntries(shown), ...(goal && { move_path: goal.path }) }
  }
  return changes
}

function isRecorded(value: string | undefined): value is string {
  return value !== undefined && Buffer.byteLength(value) <= BOUNDS.recordedFile.limit
}
