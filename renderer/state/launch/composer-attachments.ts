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
  /** Ids of what is still being read: it goes where its id is by then, so that it stays with the message it was added to. */
  readonly reading: readonly string[]
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
  /** Keys of the uploads of `before` that what took its place has taken over: an upload belongs to one message. */
  readonly lent: readonly string[]
}

export const NO_ATTACHMENTS: ComposerAttachments = { images: [], paths: [], notes: [], uploads: [], reading: [] }

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
    /** As it is at the moment of the call, also where the page was left. */
    kept: current,
    change,
    /** @returns the pictures that are too many */
    append: (more: Partial<ComposerAttachments>): readonly Refusal[] => {
      const { now, ...kept } = current()
      const { next, refused } = appended(now, more)
      store({ ...kept, now: next })
      return refused
    },
    /** @returns the pictures that are too many */
    finishReading: (id: string, images: readonly Attachment[]): readonly Refusal[] => {
      const { kept, refused } = finishedReading(current(), id, images)
      store(kept)
      return refused
    },
    clear: () => change(() => NO_ATTACHMENTS),
    /** Takes away what was sent, wherever it is by now, and nothing that came since. */
    drop: (sent: ComposerAttachments) => store(withoutSent(current(), sent)),
    /** A message that was set aside is not wanted back; `at` is its place, the oldest first. */
    forget: (at: number) => store(withoutReplaced(current(), at)),
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

/** The same for two entries of one file at the service. */
const keyOf = ({ id, state }: FileUpload) => (state.kind === 'done' ? state.at : id)

function withoutUploads(uploads: readonly FileUpload[], gone: readonly FileUpload[]): readonly FileUpload[] {
  const keys = new Set(gone.map(keyOf))
  return uploads.filter(upload => !keys.has(keyOf(upload)))
}

function withoutSent({ now, replaced }: KeptAttachments, sent: ComposerAttachments): KeptAttachments {
  return {
    now: without(now, sent),
    replaced: replaced.map(entry => ({ ...entry, before: without(entry.before, sent) })),
  }
}

function without(now: ComposerAttachments, sent: ComposerAttachments): ComposerAttachments {
  return {
    images: now.images.filter(each => !sent.images.includes(each)),
    paths: now.paths.filter(each => !sent.paths.includes(each)),
    notes: now.notes.filter(each => !sent.notes.includes(each)),
    uploads: withoutUploads(now.uploads, sent.uploads),
    reading: now.reading.filter(each => !sent.reading.includes(each)),
  }
}

/** Whether something is lost where others take the place of those that there are. */
export function losesSomeAttached(now: ComposerAttachments, by: ComposerAttachments): boolean {
  const pictures = by.images.map(({ dataUrl }) => dataUrl)
  const files = uploadedPaths(by.uploads)
  return (
    now.images.some(({ dataUrl }) => !pictures.includes(dataUrl)) ||
    now.uploads.some(({ state }) => state.kind !== 'done' || !files.includes(state.at)) ||
    now.paths.length + now.notes.length + now.reading.length > 0
  )
}

export function replacedBy(kept: KeptAttachments, by: ComposerAttachments, keeps: boolean): KeptAttachments {
  const { now, replaced } = kept
  const last = replaced.length - 1
  const below = keeps
    ? [...replaced, { by, before: now, lent: [] }]
    : replaced.map((each, at) => (at === last ? { ...each, by } : each))
  return { now: by, replaced: below.map(entry => lentTo(entry, by)) }
}

function lentTo(entry: ReplacedAttachments, by: ComposerAttachments): ReplacedAttachments {
  const uploads = withoutUploads(entry.before.uploads, by.uploads)
  const lent = entry.before.uploads.filter(upload => !uploads.includes(upload)).map(keyOf)
  return { ...entry, before: { ...entry.before, uploads }, lent: [...entry.lent, ...lent] }
}

/** What was replaced last, with what came since; and the pictures that are too many. */
export function broughtBack(kept: KeptAttachments): { kept: KeptAttachments; refused: readonly Refusal[] } {
  const last = kept.replaced.at(-1)
  if (!last) return { kept, refused: [] }
  const since = without(kept.now, last.by)
  const leaving = withoutUploads(kept.now.uploads, since.uploads)
  const [back = last, ...below] = kept.replaced.toReversed().map(entry => withReturned(entry, leaving))
  const { next, refused } = appended(back.before, since)
  return { kept: { now: next, replaced: below.toReversed() }, refused }
}

/** What came to the message that is not wanted back goes to the one below it, which what is above it took the place of then. */
export function withoutReplaced({ now, replaced }: KeptAttachments, at: number): KeptAttachments {
  const gone = replaced[at]
  const below = replaced[at - 1]
  if (!gone) return { now, replaced }
  const merged = below && {
    by: gone.by,
    before: appended(below.before, without(gone.before, below.by)).next,
    lent: [...below.lent, ...gone.lent],
  }
  return {
    now,
    replaced: [...replaced.slice(0, Math.max(0, at - 1)), ...(merged ? [merged] : []), ...replaced.slice(at + 1)],
  }
}

/** Gives back what was lent, as far as it is still there: what was removed or sent meanwhile is not. */
function withReturned(entry: ReplacedAttachments, leaving: readonly FileUpload[]): ReplacedAttachments {
  const returned = leaving.filter(upload => entry.lent.includes(keyOf(upload)))
  const keys = returned.map(keyOf)
  const before = { ...entry.before, uploads: [...entry.before.uploads, ...returned] }
  return { ...entry, before, lent: entry.lent.filter(key => !keys.includes(key)) }
}

/** Pictures that have been read go to the message they were added to, or nowhere where that is gone. */
export function finishedReading(kept: KeptAttachments, id: string, images: readonly Attachment[]) {
  const refused: Refusal[] = []
  const finish = (attached: ComposerAttachments): ComposerAttachments => {
    if (!attached.reading.includes(id)) return attached
    const added = appended(attached, { images })
    refused.push(...added.refused)
    return { ...added.next, reading: attached.reading.filter(each => each !== id) }
  }
  const now = finish(kept.now)
  const replaced = kept.replaced.map(entry => ({ ...entry, before: finish(entry.before) }))
  return { kept: { now, replaced }, refused }
}

export function withUploadState({ now, replaced }: KeptAttachments, id: string, state: UploadState): KeptAttachments {
  const changed = (attached: ComposerAttachments) => ({
    ...attached,
    uploads: withState(attached.uploads, id, state),
  })
  return { now: changed(now), replaced: replaced.map(entry => ({ ...entry, before: changed(entry.before) })) }
}

/** With more of each kind, paths once each; and the pictures that are too many. */
export function appended(now: ComposerAttachments, more: Partial<ComposerAttachments>) {
  const { images, refused } = appendImages(now.images, more.images ?? [])
  const next: ComposerAttachments = {
    images,
    paths: [...new Set([...now.paths, ...(more.paths ?? [])])],
    notes: [...now.notes, ...(more.notes ?? [])],
    uploads: [...now.uploads, ...(more.uploads ?? [])],
    reading: [...now.reading, ...(more.reading ?? [])],
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

const storedReplaced = z.array(z.object({ by: z.string(), before: z.string(), lent: z.array(z.string()).default([]) }))

/** Their files that have arrived, as text that outlives the window. */
export function replacedAsText(replaced: KeptAttachments['replaced']): string {
  if (replaced.length === 0) return ''
  return JSON.stringify(
    replaced.map(({ by, before, lent }) => ({
      by: uploadsAsText(by.uploads),
      before: uploadsAsText(before.uploads),
      lent,
    })),
  )
}

/** @returns nothing for text that was not written by `replacedAsText` */
export function replacedOfText(text: string): KeptAttachments['replaced'] {
  const kept = (uploads: string) => ({ ...NO_ATTACHMENTS, uploads: uploadsOfText(uploads) })
  try {
    const entries = storedReplaced.parse(JSON.parse(text))
    return entries.map(({ by, before, lent }) => ({ by: kept(by), before: kept(before), lent }))
  } catch {
    return []
  }
}
