import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { usePreference } from '../../../../state/settings/preference.ts'
import { shortcutOf } from '../../../../state/shortcuts.ts'
import type { TerminalConnectionState } from '../../../../state/terminal/connection.ts'
import { lineCount, withoutControls } from '../../../../state/terminal/typed.ts'
import { AlertDialog } from '../../../../ui/overlay/AlertDialog.tsx'
import { notifyError } from '../../../../ui/overlay/toast.ts'
import { useFollowLink } from '../../link/use-follow-link.ts'
import { UploadBar } from '../files/UploadBar.tsx'
import { FindBar } from './FindBar.tsx'
import { ScreenMenu } from './ScreenMenu.tsx'
import { t } from './text.ts'
import { useDrop } from './use-drop.ts'
import { useView, type ViewOptions } from './use-view.ts'

const FONT = { smallest: 9, usual: 12, largest: 24 }

interface ScreenProps extends Pick<ViewOptions, 'onNews' | 'connection'> {
  name: string
  /** Of its socket. */
  path: string
  /** Whether its width is that of the service, whatever room there is. */
  keepsWidth?: boolean
  canType: boolean
  onState: (state: TerminalConnectionState) => void
}

/** What one terminal shows, with what can be done to it: find, copy, paste, drop files, change the size of the text. */
export function Screen({ name, path, keepsWidth = false, canType, onState, onNews, connection }: ScreenProps) {
  const place = useRef<HTMLDivElement>(null)
  const [size, setSize] = usePreference('terminal.fontSize', String(FONT.usual))
  const [reader, setReader] = usePreference('terminal.screenReader', 'off')
  const [finding, setFinding] = useState(false)
  const [hovered, setHovered] = useState<string | null>(null)
  const [pasted, setPasted] = useState<string | null>(null)
  const fontSize = Math.min(FONT.largest, Math.max(FONT.smallest, Number(size) || FONT.usual))
  const screenReaderMode = reader === 'on'
  const onFollow = useFollowLink()
  const shown = { path, keepsWidth, fontSize, screenReaderMode, canType }
  const view = useView(place, { ...shown, onState, onNews, connection, onHover: setHovered, onFollow })
  const drop = useDrop({ view, canType })

  function onPaste(event: ClipboardEvent) {
    event.preventDefault()
    event.stopPropagation()
    const text = withoutControls(event.clipboardData.getData('text/plain'))
    if (!view || !canType || text === '') return
    if (lineCount(text) > 1 && !view.terminal.modes.bracketedPasteMode) setPasted(text)
    else view.terminal.paste(text)
  }
  function onKeyDown(event: KeyboardEvent) {
    const act = {
      'Mod+Shift+f': () => setFinding(true),
      'Mod+Shift+c': () => copy(view?.terminal.getSelection() ?? ''),
    }[shortcutOf(event)]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col bg-canvas" onKeyDownCapture={onKeyDown} {...drop.handlers}>
      {finding && view && (
        <FindBar
          view={view}
          onClose={() => {
            setFinding(false)
            view.terminal.focus()
          }}
        />
      )}
      <div
        id="terminal-screen"
        role="tabpanel"
        aria-label={t('screenOf', { name })}
        aria-description={t('leaveHint')}
        onPasteCapture={onPaste}
        className="min-h-0 flex-1 overflow-x-auto overflow-y-hidden py-1 ps-2"
      >
        <div ref={place} className="h-full" />
      </div>
      <UploadBar {...drop.uploading} heir={() => view?.terminal.textarea} />
      <div className="flex h-7 shrink-0 items-center gap-2 border-line border-t px-2 text-faint text-xs">
        <span className="min-w-0 flex-1 truncate">{hovered ?? t('leaveHint')}</span>
        <ScreenMenu
          onFind={() => setFinding(true)}
          onClear={() => view?.terminal.clear()}
          onLarger={() => setSize(String(fontSize + 1))}
          onSmaller={() => setSize(String(fontSize - 1))}
          screenReaderMode={screenReaderMode}
          onScreenReader={on => setReader(on ? 'on' : 'off')}
        />
      </div>
      {drop.isOver && (
        <div className="pointer-events-none absolute inset-1 flex items-center justify-center rounded-md border-2 border-accent border-dashed bg-accent-wash">
          {t('dropHere')}
        </div>
      )}
      {pasted !== null && (
        <AlertDialog
          open
          onOpenChange={isOpen => !isOpen && setPasted(null)}
          title={t('pasteTitle', { count: String(lineCount(pasted)) })}
          confirm={t('paste')}
          onConfirm={() => {
            view?.terminal.paste(pasted)
            setPasted(null)
          }}
        >
          {t('pasteBody')}
        </AlertDialog>
      )}
    </div>
  )
}

function copy(text: string) {
  if (text !== '') navigator.clipboard.writeText(text).catch(notifyError)
}
