import { BOUNDS } from '../../domain/bounds.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { decode, encode, type TextFile } from '../file-editor/encoding.ts'
import { Problem } from '../file-editor/problem.ts'
import { megabytes, notText } from '../file-editor/view.ts'
import { fitHunks } from './fit.ts'
import type { FilePatch } from './parse.ts'
import { type PatchTarget, relativePath, resolvePaths } from './target.ts'

const MAX_BYTES = BOUNDS.editedFile.limit

/** A file before and after the patch; undefined where there is none. */
export interface PatchedFile {
  /** relative to the working directory */
  path: string
  target: string
  before: Buffer | undefined
  after: Buffer | undefined
  beforeText: string | undefined
  afterText: string | undefined
  /** The file whose content went here. */
  movedFrom: string | undefined
  places: { first: number; last: number }[]
}

interface State extends PatchTarget {
  before: Buffer | undefined
  original: TextFile | undefined
  now: TextFile | undefined
  movedFrom: string | undefined
  places: { first: number; last: number }[]
}

/** What the files would hold. Nothing is written. @throws Problem when a part of the patch does not fit */
export async function planPatch(
  sandbox: SandboxHandle,
  patch: readonly FilePatch[],
  signal: AbortSignal,
): Promise<{ files: PatchedFile[]; fuzz: number }> {
  const named = patch.map(file => ({
    ...file,
    path: relativePath(sandbox, file.path),
    ...(file.kind === 'update' && { moveTo: file.moveTo && relativePath(sandbox, file.moveTo) }),
  })) as FilePatch[] // each keeps its kind
  const paths = named.flatMap(file => [file.path, ...(file.kind === 'update' && file.moveTo ? [file.moveTo] : [])])
  const places = await resolvePaths(sandbox, [...new Set(paths)], signal)
  const states = new Map<string, State>()
  let bytes = 0
  for (const [path, place] of places) {
    const state = await stateOf(sandbox, path, place)
    bytes += state.before?.length ?? 0
    if (bytes > BOUNDS.patchedBytes.limit) {
      throw new Problem(
        `The files of the patch have more than ${megabytes(BOUNDS.patchedBytes.limit)} MB. Nothing was changed. Send it in several patches.`,
      )
    }
    states.set(path, state)
  }
  let fuzz = 0
  for (const file of named) fuzz += applyFilePatch(file, states)
  return { files: [...states].flatMap(([path, state]) => patched(path, state)), fuzz }
}

async function stateOf(sandbox: SandboxHandle, path: string, place: PatchTarget): Promise<State> {
  const nothing = { before: undefined, original: undefined, now: undefined, movedFrom: undefined, places: [] }
  if (!place.exists) return { ...place, ...nothing }
  const before = await sandbox.readFile(place.target, { maxBytes: MAX_BYTES })
  const original = decode(before)
  if (!original) throw notText(path)
  return { ...place, before, original, now: original, movedFrom: undefined, places: [] }
}

/** @returns the fuzz */
function applyFilePatch(file: FilePatch, states: Map<string, State>): number {
  const state = states.get(file.path)
  if (!state) return 0
  if (file.kind === 'add') {
    if (state.now)
      throw new Problem(`${file.path} exists already. Nothing was changed. Use \`*** Update File:\` for it.`)
    state.now = { text: file.content, encoding: 'utf-8' }
    return 0
  }
  const { now } = state
  if (!now) throw new Problem(`There is no file ${file.path} in the working directory. Nothing was changed.`)
  if (file.kind === 'delete') {
    state.now = undefined
    return 0
  }
  const { text, fuzz, places } = fitHunks(file.path, now.text, file.hunks)
  const edited = { ...now, text }
  if (file.moveTo === undefined || file.moveTo === file.path) {
    state.now = edited
    state.places = places
    return fuzz
  }
  const goal = states.get(file.moveTo)
  if (goal?.now) throw new Problem(`${file.path} cannot be moved: ${file.moveTo} exists already. Nothing was changed.`)
  if (goal) Object.assign(goal, { now: edited, movedFrom: file.path, places })
  state.now = undefined
  return fuzz
}

function patched(path: string, state: State): PatchedFile[] {
  const { target, before, original, now, movedFrom, places } = state
  const after = now && encode(now)
  if (now && !after) {
    throw new Problem(`${path} is encoded in Latin-1, which lacks a character of the new text. Nothing was changed.`)
  }
  if (after && after.length > MAX_BYTES) {
    throw new Problem(`${path} would have ${megabytes(after.length)} MB, and 10 MB is the limit. Nothing was changed.`)
  }
  if (!before && !after) return []
  return [{ path, target, before, after, beforeText: original?.text, afterText: now?.text, movedFrom, places }]
}
