import { type DragEvent, useEffect, useRef, useState } from 'react'
import { droppedEntries } from '../../../../state/files/upload/dropped.ts'
import { quotedPaths } from '../../../../state/terminal/typed.ts'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { useUploads } from '../files/use-uploads.ts'
import { t } from './text.ts'
import type { TerminalView } from './xterm.ts'

/** The working directory of the sandbox. */
const HERE = '.'

/** Files and folders that are dropped are copied into the workspace, and their paths typed, or said where the terminal has gone. */
export function useDrop({ view, canType }: { view: TerminalView | null; canType: boolean }) {
  const [isOver, setOver] = useState(false)
  const typing = useRef<TerminalView | null>(null)
  useEffect(() => {
    typing.current = canType ? view : null
    return () => {
      typing.current = null
    }
  }, [view, canType])
  const { uploads, ...uploading } = useUploads()
  const type = (paths: readonly string[]) => {
    const [first, ...others] = paths
    if (first === undefined) return
    if (view && typing.current === view) return view.terminal.paste(`${quotedPaths(paths)} `)
    const folder = first.slice(0, first.lastIndexOf('/'))
    notifyDone(t('droppedAt', { place: others.length > 0 ? folder : first }))
  }
  const hasFiles = (event: DragEvent) => canType && event.dataTransfer.types.includes('Files')
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
