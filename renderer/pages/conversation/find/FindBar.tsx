import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { t } from './text.ts'
import { useFinding } from './use-finding.ts'

export interface FindBarProps {
  onClose: () => void
}

/** Finds words in the whole log, also in what is not loaded. Enter goes up, to what was before. */
export function FindBar({ onClose }: FindBarProps) {
  const [text, setText] = useState(selectedText)
  const { words, busy, older, newer } = useFinding(text)
  useShortcuts({ F3: older, 'Shift+F3': newer, 'Mod+g': older, 'Mod+Shift+g': newer })

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.shiftKey) newer()
    else if (event.key === 'Enter') older()
    else return
    // Escape pauses the agent where nothing else takes it.
    event.stopPropagation()
    event.preventDefault()
  }

  return (
    <search
      aria-label={t('findInConversation')}
      onKeyDown={onKeyDown}
      className="popup absolute top-2 end-4 z-20 flex w-96 max-w-[calc(100%-32px)] items-center gap-1 p-1.5"
    >
      <Input
        autoFocus
        aria-label={t('findInConversation')}
        placeholder={t('findInConversation')}
        value={text}
        onValueChange={setText}
        onFocus={event => event.currentTarget.select()}
        maxLength={500}
        className="h-7! min-w-0 flex-1"
      />
      <span role="status" className="flex min-w-16 items-center justify-end gap-1.5 px-1 text-faint text-sm tabular">
        {busy ? <Spinner size={12} /> : null}
        {words}
      </span>
      <IconButton label={t('olderMatch')} shortcut="Enter" icon={<ChevronUp size={15} aria-hidden />} onClick={older} />
      <IconButton
        label={t('newerMatch')}
        shortcut="Shift+Enter"
        icon={<ChevronDown size={15} aria-hidden />}
        onClick={newer}
      />
      <IconButton label={t('closeFind')} shortcut="Esc" icon={<X size={15} aria-hidden />} onClick={onClose} />
    </search>
  )
}

/** What is marked on the page is what one wants to find, unless it is long. */
function selectedText(): string {
  const text = getSelection()?.toString().trim() ?? ''
  return text.length <= 100 && !text.includes('\n') ? text : ''
}
