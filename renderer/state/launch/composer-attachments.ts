import { useQuery, useQueryClient } from '@tanstack/react-query'
import { attachedFilesText, listedPaths } from '../../../server/api/attached-files.ts'
import { keys } from '../../api/query-keys.ts'
import { preferenceKey } from '../settings/preference.ts'
import { type Attachment, appendImages, type Refusal } from './attached-files.ts'
import { type FileUpload, uploadedPaths, uploadsAsText, uploadsOfText } from './file-uploads.ts'

export interface ComposerAttachments {
  readonly images: readonly Attachment[]
  /** Files and folders of the sandbox, by their absolute paths. */
  readonly paths: readonly string[]
  /** What the agent reads beside the message. */
  readonly notes: readonly Note[]
  /** Files of this computer. */
  readonly uploads: readonly FileUpload[]
}

export interface Note {
  /** Of this window alone. */
  readonly id: string
  readonly name: string
  readonly text: string
}

const NONE: ComposerAttachments = { images: [], paths: [], notes: [], uploads: [] }

/**
 * What goes with the message that is being written; it is also added to from the panel.
 * @param storage keeps the files that have arrived, as long as the text is kept
 */
export function useComposerAttachments(id: string, storage: Storage = localStorage) {
  const queries = useQueryClient()
  const queryKey = keys.composerAttachments(id)
  const storageKey = preferenceKey(`attached.${id}`)
  // What is in the sandbox is still there after a reload, as the text is.
  const kept = () => ({ ...NONE, uploads: uploadsOfText(storage.getItem(storageKey) ?? '') })
  const current = () => queries.getQueryData<ComposerAttachments>(queryKey) ?? kept()
  // What there is now is read and written in one step: while something was waited for, others may have attached more.
  const change = (update: (now: ComposerAttachments) => ComposerAttachments) => {
    const next = update(current())
    const text = uploadsAsText(next.uploads)
    if (text === '') storage.removeItem(storageKey)
    else storage.setItem(storageKey, text)
    queries.setQueryData(queryKey, next)
  }
  const { data } = useQuery({
    queryKey,
    queryFn: current,
    initialData: kept,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return {
    attached: data,
    change,
    /** @returns the pictures that are too many */
    append: (more: Partial<ComposerAttachments>): readonly Refusal[] => {
      const { next, refused } = appended(current(), more)
      change(() => next)
      return refused
    },
    clear: () => change(() => NONE),
    /** Takes away what was sent, and nothing that came since. */
    drop: (sent: ComposerAttachments) => change(now => without(now, sent)),
  }
}

export type AttachedStore = ReturnType<typeof useComposerAttachments>

function without(now: ComposerAttachments, sent: ComposerAttachments): ComposerAttachments {
  const uploads = new Set(sent.uploads.map(({ id }) => id))
  return {
    images: now.images.filter(each => !sent.images.includes(each)),
    paths: now.paths.filter(each => !sent.paths.includes(each)),
    notes: now.notes.filter(each => !sent.notes.includes(each)),
    uploads: now.uploads.filter(({ id }) => !uploads.has(id)),
  }
}

/** With more of each kind, paths once each; and the pictures that are too many. */
export function appended(now: ComposerAttachments, more: Partial<ComposerAttachments>) {
  const { images, refused } = appendImages(now.images, more.images ?? [])
  const next: ComposerAttachments = {
    images,
    paths: [...new Set([...now.paths, ...(more.paths ?? [])])],
    notes: [...now.notes, ...(more.notes ?? [])],
    uploads: [...now.uploads, ...(more.uploads ?? [])],
  }
  return { next, refused }
}

type AttachedText = Pick<ComposerAttachments, 'paths' | 'notes' | 'uploads'>

/** A message with what is attached as text, as the agent reads it. Names are quoted: they may hold anything. */
export function withAttached(text: string, { paths, notes, uploads }: AttachedText): string {
  const parts = [
    text,
    listedPaths('Files:', paths),
    attachedFilesText(uploadedPaths(uploads)),
    ...notes.map(note => note.text),
  ]
  return parts.filter(part => part !== '').join('\n\n')
}
