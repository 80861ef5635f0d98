import type { ClipboardEvent, DragEvent } from 'react'
import { useRef, useState } from 'react'
import { MAX_ATTACHED } from '../../../server/api/contract/limits.ts'
import { droppedEntries } from '../../state/files/upload/dropped.ts'
import { sizeRefusal } from '../../state/files/upload/size.ts'
import { isPicture, type Refusal, readImages } from '../../state/launch/attached-files.ts'
import type { AttachedStore } from '../../state/launch/composer-attachments.ts'
import { type FileUpload, isOfStart, sendingUpload, waitReason } from '../../state/launch/file-uploads.ts'
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

/** Attaches files of this computer to a message: pictures to the message itself, others as `send` does it. */
export function useAttaching(attachments: AttachedStore, { send, discard }: Transfer) {
  const { append, finishReading, change, setUploadState } = attachments
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  // One after the other: names are told apart by what is there already.
  const last = useRef<Promise<void>>(Promise.resolve())

  function begin(upload: FileUpload) {
    const { state, name } = upload
    if (state.kind !== 'sending') return
    const { file, stop } = state
    const { signal } = stop
    last.current = last.current.then(async () => {
      if (signal.aborted) return
      try {
        const onProgress = (sent: number) => {
          if (!signal.aborted) setUploadState(upload.id, { ...state, sent: Math.min(sent, file.size) })
        }
        setUploadState(upload.id, { kind: 'done', at: await send({ name, file, signal, onProgress }) })
      } catch (reason) {
        if (!signal.aborted) setUploadState(upload.id, { kind: 'failed', reason, file })
      }
    })
  }

  async function attach(files: readonly File[], folders: readonly string[] = []) {
    const others = files.filter(file => !isPicture(file))
    const tooLarge = others.flatMap(file => {
      const reason = sizeRefusal(file)
      return reason ? [{ name: file.name, reason }] : []
    })
    const room = Math.max(0, MAX_ATTACHED - attachments.attached.uploads.length)
    const fitting = others.filter(file => !sizeRefusal(file))
    const beyond = fitting.slice(room).map(({ name }) => ({ name, reason: t('tooManyFiles', { limit: MAX_ATTACHED }) }))
    const uploads = fitting
      .slice(0, room)
      .map(file => sendingUpload(file, crypto.randomUUID(), file.name || t('attachedFile')))
    const reading = crypto.randomUUID()
    append({ uploads, reading: [reading] })
    for (const upload of uploads) begin(upload)
    const { images, refused } = await readImages(files.filter(isPicture))
    const tooMany = finishReading(reading, images)
    setRefusals([
      ...refused,
      ...tooMany,
      ...tooLarge,
      ...beyond,
      ...folders.map(name => ({ name, reason: t('noFoldersAttached') })),
    ])
  }

  const waits = waitReason(attachments.attached.uploads)
  return {
    attachments,
    refusals,
    /** Why the message cannot be sent yet; null when it can. */
    waits: attachments.attached.reading.length > 0 ? WAIT_REASONS.sending : waits && WAIT_REASONS[waits],
    refuse: setRefusals,
    attach,
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files]
      if (files.length === 0 || isPictureOfText(files, event.clipboardData)) return
      event.preventDefault()
      void attach(files)
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
      if (state.kind === 'done' && !isOfStart(upload)) discard?.(state.at)
      change(now => ({ ...now, uploads: now.uploads.filter(each => each.id !== upload.id) }))
    },
    again: (upload: FileUpload) => {
      if (upload.state.kind !== 'failed') return
      const next = sendingUpload(upload.state.file, upload.id, upload.name)
      setUploadState(next.id, next.state)
      begin(next)
    },
  }
}

/** Cells of a spreadsheet and text of an office program come with a picture of themselves, under Chromium's own name. */
function isPictureOfText([file, ...others]: readonly File[], clipboard: DataTransfer): boolean {
  return others.length === 0 && file?.name === 'image.png' && clipboard.getData('text/plain') !== ''
}
