import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { attachedFilesText, listedPaths } from '../../../server/api/attached-files.ts'
import { keys } from '../../api/query-keys.ts'
import { preferenceKey } from '../settings/preference.ts'
import { type Attachment, appendImages, type Refusal } from './attached-files.ts'
import {
  type FileUpload,
  type UploadState,
  uploadedPaths,
  uploadsAsText,
  uploadsOfText,
  withState,
} from './file-uploads.ts'

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

/** What goes with the message now, and what that took the place of, the newest last. */
export interface KeptAttachments {
  readonly now: ComposerAttachments
  readonly replaced: readonly ReplacedAttachments[]
}

interface ReplacedAttachments {
  readonly by: ComposerAttachments
  readonly before: ComposerAttachments
}

export const NO_ATTACHMENTS: ComposerAttachments = { images: [], paths: [], notes: [], uploads: [] }

/**
 * What goes with the message that is being written; it is also added to from the panel.
 * @param storage keeps the files that have arrived, as long as the text is kept
 */
export function useComposerAttachments(id: string, storage: Storage = localStorage) {
  const queries = useQueryClient()
  const queryKey = keys.composerAttachments(id)
  const storageKey = preferenceKey(`attached.${id}`)
  // What is in the sandbox is still there after a reload, as the text is.
  const stored = () => ({
    now: { ...NO_ATTACHMENTS, uploads: uploadsOfText(storage.getItem(storageKey) ?? '') },
    replaced: replacedOfText(storage.getItem(`${storageKey}.replaced`) ?? ''),
  })
  const keep = (key: string, text: string) => (text === '' ? storage.removeItem(key) : storage.setItem(key, text))
  const current = () => queries.getQueryData<KeptAttachments>(queryKey) ?? stored()
  // What there is now is read and written in one step: while something was waited for, others may have attached more.
  const store = (next: KeptAttachments) => {
    keep(storageKey, uploadsAsText(next.now.uploads))
    keep(`${storageKey}.replaced`, replacedAsText(next.replaced))
    queries.setQueryData(queryKey, next)
  }
  const change = (update: (now: ComposerAttachments) => ComposerAttachments) => {
    const kept = current()
    store({ ...kept, now: update(kept.now) })
  }
  const { data } = useQuery({
    queryKey,
    queryFn: current,
    initialData: stored,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return {
    attached: data.now,
    change,
    /** @returns the pictures that are too many */
    append: (more: Partial<ComposerAttachments>): readonly Refusal[] => {
      const { now, ...kept } = current()
      const { next, refused } = appended(now, more)
      store({ ...kept, now: next })
      return refused
    },
    clear: () => change(() => NO_ATTACHMENTS),
    /** Takes away what was sent, and nothing that came since. */
    drop: (sent: ComposerAttachments) => change(now => without(now, sent)),
    /** Also of a file whose message has been replaced: it comes back with it. */
    setUploadState: (upload: string, state: UploadState) => store(withUploadState(current(), upload, state)),
    /** Others take the place of all that there are; `keeps` says whether these can be brought back. */
    replace: (by: ComposerAttachments, keeps: boolean) => store(replacedBy(current(), by, keeps)),
    /** @returns the pictures that are too many */
    bringBack: (): readonly Refusal[] => {
      const { kept, refused } = broughtBack(current())
      store(kept)
      return refused
    },
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

/** Whether something is lost where others take the place of those that there are. */
export function losesSomeAttached(now: ComposerAttachments, by: ComposerAttachments): boolean {
  const pictures = by.images.map(({ dataUrl }) => dataUrl)
  const files = uploadedPaths(by.uploads)
  return (
    now.images.some(({ dataUrl }) => !pictures.includes(dataUrl)) ||
    now.uploads.some(({ state }) => state.kind !== 'done' || !files.includes(state.at)) ||
    now.paths.length + now.notes.length > 0
  )
}

export function replacedBy(kept: KeptAttachments, by: ComposerAttachments, keeps: boolean): KeptAttachments {
  const { now, replaced } = kept
  if (keeps) return { now: by, replaced: [...replaced, { by, before: now }] }
  return { now: by, replaced: replaced.map((each, at) => (at === replaced.length - 1 ? { ...each, by } : each)) }
}

/** What was replaced last, with what came since; and the pictures that are too many. */
export function broughtBack(kept: KeptAttachments): { kept: KeptAttachments; refused: readonly Refusal[] } {
  const last = kept.replaced.at(-1)
  if (!last) return { kept, refused: [] }
  const { next, refused } = appended(last.before, without(kept.now, last.by))
  return { kept: { now: next, replaced: kept.replaced.slice(0, -1) }, refused }
}

export function withUploadState({ now, replaced }: KeptAttachments, id: string, state: UploadState): KeptAttachments {
  const changed = (attached: ComposerAttachments) => ({
    ...attached,
    uploads: withState(attached.uploads, id, state),
  })
  return { now: changed(now), replaced: replaced.map(({ by, before }) => ({ by, before: changed(before) })) }
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

const storedReplaced = z.array(z.object({ by: z.string(), before: z.string() }))

/** Their files that have arrived, as text that outlives the window. */
export function replacedAsText(replaced: KeptAttachments['replaced']): string {
  if (replaced.length === 0) return ''
  return JSON.stringify(
    replaced.map(({ by, before }) => ({ by: uploadsAsText(by.uploads), before: uploadsAsText(before.uploads) })),
  )
}

/** @returns nothing for text that was not written by `replacedAsText` */
export function replacedOfText(text: string): KeptAttachments['replaced'] {
  const kept = (uploads: string) => ({ ...NO_ATTACHMENTS, uploads: uploadsOfText(uploads) })
  try {
    return storedReplaced.parse(JSON.parse(text)).map(({ by, before }) => ({ by: kept(by), before: kept(before) }))
  } catch {
    return []
  }
}
