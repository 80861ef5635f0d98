import { useMutation } from '@tanstack/react-query'
import type { DragEvent } from 'react'
import { useState } from 'react'
import { uploadFiles } from '../../../../../server/api/legacy/workspace.ts'
import { useClient } from '../../../../api/session.ts'
import { quotedPaths } from '../../../../state/terminal/typed.ts'
import { notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

/** Files that are dropped are copied into the workspace, and their paths handed over to be typed. */
export function useDrop({ enabled, onPaths }: { enabled: boolean; onPaths: (words: string) => void }) {
  const client = useClient()
  const { id } = useOpenConversation()
  const [isOver, setOver] = useState(false)
  const upload = useMutation({
    mutationFn: (files: readonly File[]) => {
      const form = new FormData()
      for (const file of files) form.append('files', file, file.name)
      return client.call(uploadFiles, { params: { conversation_id: id }, form })
    },
    onSuccess: ({ uploaded_files, skipped_files }) => {
      if (uploaded_files.length > 0) onPaths(`${quotedPaths(uploaded_files)} `)
      for (const { name, reason } of skipped_files) notifyError(new Error(t('notCopied', { name, reason })))
    },
    onError: notifyError,
  })
  const hasFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files')
  return {
    isOver,
    copying: upload.isPending ? upload.variables.length : 0,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        const files = [...event.dataTransfer.files]
        if (files.length > 0) upload.mutate(files)
      },
    },
  }
}
