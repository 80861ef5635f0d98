import { useEffect } from 'react'
import type { Desktop } from '../../electron/ipc.ts'
import { shownName } from '../state/files/tree.ts'
import { formatBytes } from '../state/format.ts'
import { notifyDone, notifyError, notifyProgress } from '../ui/overlay/toast.ts'
import { t } from './text.ts'

/** Says how downloads of files go, wherever in the window a person is. Shows nothing itself. */
export function DownloadNotices() {
  useEffect(() => window.atelier && follow(window.atelier), [])
  return null
}

function follow(desktop: Desktop): () => void {
  const shown = new Map<number, ReturnType<typeof notifyProgress>>()
  return desktop.onDownload(({ id, state, receivedBytes, totalBytes, ...download }) => {
    const name = shownName(download.name)
    if (state === 'progressing') {
      const done = formatBytes(receivedBytes)
      const words =
        totalBytes === null
          ? t('downloading', { name, done })
          : t('downloadingOf', { name, done, total: formatBytes(totalBytes) })
      const known = shown.get(id)
      if (known) return known.update(words)
      const act = () => void desktop.cancelDownload(id).catch(notifyError)
      shown.set(id, notifyProgress(words, { label: t('cancelDownload'), act }))
      return
    }
    shown.get(id)?.close()
    shown.delete(id)
    if (state === 'completed') notifyDone(t('downloaded', { name }))
    if (state === 'failed') notifyError(new Error(t('downloadFailed', { name })))
  })
}
