import type { ClipboardEvent, DragEvent } from 'react'
import { useRef, useState } from 'react'
import { droppedEntries } from '../../state/files/upload/dropped.ts'
import { sizeRefusal } from '../../state/files/upload/size.ts'
import { isPicture, type Refusal, readImages } from '../../state/launch/attached-files.ts'
import { useComposerAttachments } from '../../state/launch/composer-attachments.ts'
import {
  type FileUpload,
  sendingUpload,
  type UploadState,
  waitReason,
  withState,
} from '../../state/launch/file-uploads.ts'
import { t } from './text.ts'

export type Attaching = ReturnType<typeof useAttaching>

interface SentAttachment {
  name: string
  file: File
  signal: AbortSignal
  onProgress: (sent: number) => void
}

interface Transfer {
  /** @returns where it is then, as `FileUpload` has it */
  send: (sent: SentAttachment) => Promise<string>
  /** For one that has arrived, and is not wanted any more. */
  discard?: (at: string) => void
}

const WAIT_REASONS = {
  sending: t('waitForUploads'),
  failed: t('uploadsHaveFailed'),
} as const satisfies Record<NonNullable<ReturnType<typeof waitReason>>, string>

/** Attaches files of this computer to the message that is written at `place`: pictures to the message itself, others as `send` does it. */
export function useAttaching(place: string, { send, discard }: Transfer) {
  const attachments = useComposerAttachments(place)
  const { append, change } = attachments
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  // One after the other: names are told apart by what is there already.
  const last = useRef<Promise<void>>(Promise.resolve())

  function setState(upload: FileUpload, state: UploadState) {
    change(now => ({ ...now, uploads: withState(now.uploads, upload.id, state) }))
  }

  function begin(upload: FileUpload) {
    const { state, name } = upload
    if (state.kind !== 'sending') return
    const { file, stop } = state
    const { signal } = stop
    last.current = last.current.then(async () => {
      if (signal.aborted) return
      try {
        const onProgress = (sent: number) => {
          if (!signal.aborted) setState(upload, { ...state, sent: Math.min(sent, file.size) })
        }
        setState(upload, { kind: 'done', at: await send({ name, file, signal, onProgress }) })
      } catch (reason) {
        if (!signal.aborted) setState(upload, { kind: 'failed', reason, file })
      }
    })
  }

  async function attach(files: readonly File[], folders: readonly string[] = []) {
    const others = files.filter(file => !isPicture(file))
    const tooLarge = others.flatMap(file => {
      const reason = sizeRefusal(file)
      return reason ? [{ name: file.name, reason }] : []
    })
    const uploads = others
      .filter(file => !sizeRefusal(file))
      .map(file => sendingUpload(file, crypto.randomUUID(), file.name || t('attachedFile')))
    append({ uploads })
    for (const upload of uploads) begin(upload)
    const { images, refused } = await readImages(files.filter(isPicture))
    const tooMany = append({ images })
    setRefusals([
      ...refused,
      ...tooMany,
      ...tooLarge,
      ...folders.map(name => ({ name, reason: t('noFoldersAttached') })),
    ])
  }

  const waits = waitReason(attachments.attached.uploads)
  return {
    attachments,
    refusals,
    /** Why the message cannot be sent yet; null when it can. */
    waits: waits && WAIT_REASONS[waits],
    refuse: setRefusals,
    attach,
    onPaste: (event: ClipboardEvent) => {
      if (event.clipboardData.files.length === 0) return
      event.preventDefault()
      void attach([...event.clipboardData.files])
    },
    onDrop: (event: DragEvent) => {
      if (event.dataTransfer.files.length === 0) return
      event.preventDefault()
      const folders = droppedEntries(event.dataTransfer).flatMap(entry => (entry.isDirectory ? [entry.name] : []))
      void attach(
        [...event.dataTransfer.files].filter(({ name }) => !folders.includes(name)),
        folders,
      )
    },
    remove: (upload: FileUpload) => {
      const { state } = upload
      if (state.kind === 'sending') state.stop.abort()
      if (state.kind === 'done') discard?.(state.at)
      change(now => ({ ...now, uploads: now.uploads.filter(each => each.id !== upload.id) }))
    },
    again: (upload: FileUpload) => {
      if (upload.state.kind !== 'failed') return
      const next = sendingUpload(upload.state.file, upload.id, upload.name)
      setState(next, next.state)
      begin(next)
    },
  }
}
