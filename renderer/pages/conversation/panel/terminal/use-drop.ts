import type { DragEvent } from 'react'
import { useState } from 'react'
import { droppedEntries } from '../../../../state/files/upload/dropped.ts'
import { quotedPaths } from '../../../../state/terminal/typed.ts'
import { useUploads } from '../files/use-uploads.ts'

/** The working directory of the sandbox. */
const HERE = '.'

/** Files and folders that are dropped are copied into the workspace, and their paths handed over to be typed. */
export function useDrop({ enabled, onPaths }: { enabled: boolean; onPaths: (words: string) => void }) {
  const [isOver, setOver] = useState(false)
  const { uploads, ...uploading } = useUploads()
  const type = (paths: readonly string[]) => paths.length > 0 && onPaths(`${quotedPaths(paths)} `)
  const hasFiles = (event: DragEvent) => enabled && event.dataTransfer.types.includes('Files')
  return {
    isOver,
    uploading: { uploads, ...uploading },
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
        uploads.beginWith(HERE, droppedEntries(event.dataTransfer), type)
      },
    },
  }
}
