import { z } from 'zod'

/** A file of this computer that goes with the message, by way of the sandbox or, before there is one, of the service. */
export interface FileUpload {
  /** Of this window alone. */
  readonly id: string
  readonly name: string
  /** null where it is not known any more. */
  readonly bytes: number | null
  readonly state: UploadState
}

export type UploadState =
  | { readonly kind: 'sending'; readonly sent: number; readonly file: File; readonly stop: AbortController }
  /** `reason` is what was thrown. */
  | { readonly kind: 'failed'; readonly reason: unknown; readonly file: File }
  /** `at` is its path in the sandbox or, before there is one, its id at the service. */
  | { readonly kind: 'done'; readonly at: string }

export function sendingUpload(file: File, id: string, name: string): FileUpload {
  return { id, name, bytes: file.size, state: { kind: 'sending', sent: 0, file, stop: new AbortController() } }
}

/** The same list where one has another state; a file that was removed meanwhile does not come back. */
export function withState(uploads: readonly FileUpload[], id: string, state: UploadState): readonly FileUpload[] {
  return uploads.map(upload => (upload.id === id ? { ...upload, state } : upload))
}

/** Why a message with these files has to wait. */
export function waitReason(uploads: readonly FileUpload[]): 'sending' | 'failed' | null {
  if (uploads.some(({ state }) => state.kind === 'sending')) return 'sending'
  return uploads.some(({ state }) => state.kind === 'failed') ? 'failed' : null
}

/** Their paths in the sandbox. */
export function uploadedPaths(uploads: readonly FileUpload[]): string[] {
  return uploads.flatMap(({ state }) => (state.kind === 'done' ? [state.at] : []))
}

/** Those that wait at the service, as a start names them. */
export function uploadsForStart(uploads: readonly FileUpload[]): { id: string; name: string }[] {
  return uploads.flatMap(({ name, state }) => (state.kind === 'done' ? [{ id: state.at, name }] : []))
}

/** What `uploadsForStart` made. */
export function uploadsOfStart(attachments: readonly { id: string; name: string }[]): FileUpload[] {
  return attachments.map(({ id, name }) => ({ id, name, bytes: null, state: { kind: 'done', at: id } }))
}

/** Whether it came with a start, which may be tried again or taken up in another window: that start needs the file still. */
export function isOfStart({ id, state }: FileUpload): boolean {
  return state.kind === 'done' && state.at === id
}

const stored = z.array(z.object({ id: z.string(), name: z.string(), bytes: z.number().nullable(), at: z.string() }))

/** Those that have arrived, as text that outlives the window. */
export function uploadsAsText(uploads: readonly FileUpload[]): string {
  const kept = uploads.flatMap(({ state, ...rest }) => (state.kind === 'done' ? [{ ...rest, at: state.at }] : []))
  return kept.length > 0 ? JSON.stringify(kept) : ''
}

/** @returns nothing for text that was not written by `uploadsAsText` */
export function uploadsOfText(text: string): readonly FileUpload[] {
  try {
    return stored.parse(JSON.parse(text)).map(({ at, ...rest }) => ({ ...rest, state: { kind: 'done', at } }))
  } catch {
    return []
  }
}
