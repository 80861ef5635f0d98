import { expect } from 'vitest'
import type { FileEditorObservation } from '../../../server/tools/file-editor/editor.ts'
import { createFileEditor } from '../../../server/tools/file-editor.ts'
import type { ToolHost } from '../../../server/tools/tool.ts'

export type Bytes = string | number[]

/** One call of the file editor and what it must answer; what is left out is not looked at. Paths are in the case's folder. */
export interface Step {
  view?: string
  create?: string
  replace?: string
  insert?: string
  undo?: string
  range?: number[]
  text?: string
  old?: string
  new?: string
  line?: number
  /** The whole answer; `{}` stands for the case's folder. */
  says?: string
  has?: string | string[]
  hasNot?: string | string[]
  /** The call is refused, with words that contain this. */
  refused?: string | string[]
  /** The file's bytes afterwards. */
  file?: Bytes
}

export interface Case {
  name: string
  files?: Record<string, Bytes>
  steps: Step[]
}

export async function runSteps(
  host: ToolHost,
  folder: string,
  steps: readonly Step[],
): Promise<FileEditorObservation[]> {
  const editor = createFileEditor(host)
  const observations: FileEditorObservation[] = []
  for (const step of steps) {
    const [command, name] = commandOf(step)
    const path = name.startsWith('=') ? name.slice(1) : name === '' ? folder : `${folder}/${name}`
    const action = editor.toAction({
      command,
      path,
      file_text: step.text,
      old_str: step.old,
      new_str: step.new,
      insert_line: step.line,
      view_range: step.range,
    })
    const observation = await editor.run(action, { signal: AbortSignal.timeout(20_000), onOutput: () => {} })
    if (observation.kind !== 'FileEditorObservation') throw new Error('The file editor answered as another tool.')
    observations.push(observation)
    check(step, observation, folder)
    if (step.file !== undefined) expect(await (await host.sandbox()).readFile(path)).toEqual(bytesOf(step.file))
  }
  return observations
}

export function bytesOf(bytes: Bytes): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes)
}

export function saidBy(observation: FileEditorObservation): string {
  return observation.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function commandOf(step: Step): [string, string] {
  if (step.create !== undefined) return ['create', step.create]
  if (step.replace !== undefined) return ['str_replace', step.replace]
  if (step.insert !== undefined) return ['insert', step.insert]
  if (step.undo !== undefined) return ['undo_edit', step.undo]
  return ['view', step.view ?? '']
}

function check(step: Step, observation: FileEditorObservation, folder: string): void {
  const said = saidBy(observation)
  const here = (words: string) => words.replaceAll('{}', folder)
  expect([said, observation.is_error]).toEqual([said, step.refused !== undefined])
  if (step.says !== undefined) expect(said).toBe(here(step.says))
  for (const words of [step.has ?? [], step.refused ?? []].flat()) expect(said).toContain(here(words))
  for (const words of [step.hasNot ?? []].flat()) expect(said).not.toContain(here(words))
}
