import type { ClipboardEvent, DragEvent } from 'react'
import { useRef, useState } from 'react'
import { uploadFile } from '../../../api/sandbox/files.ts'
import { useSession } from '../../../api/session.ts'
import { droppedEntries } from '../../../state/files/upload/dropped.ts'
import { isPicture, type Refusal, readImages } from '../../../state/launch/attached-files.ts'
import { useComposerAttachments } from '../../../state/launch/composer-attachments.ts'
import { type FileUpload, sendingUpload, type UploadState, withState } from '../../../state/launch/file-uploads.ts'
import { sizeRefusal } from '../panel/files/use-uploads.ts'
import { t } from '../text.ts'

/** Beside the workspace: what is attached is no change of the repository, and never in a mounted folder of the person. */
const FOLDER = '/tmp/attachments'

/** Attaches files of this computer: pictures to the message itself, others by way of the sandbox. */
export function useAttaching(id: string) {
  const session = useSession()
  const attachments = useComposerAttachments(id)
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
        const place = { path: `${FOLDER}/${name}`, existing: 'keep_both' as const }
        const path = await uploadFile(session, { id, ...place, file, signal, onProgress })
        setState(upload, { kind: 'done', path })
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

  return {
    attachments,
    refusals,
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
      if (upload.state.kind === 'sending') upload.state.stop.abort()
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
