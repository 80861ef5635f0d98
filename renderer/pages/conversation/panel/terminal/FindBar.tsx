import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '../../../../ui/Button.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { t } from './text.ts'
import type { TerminalView } from './xterm.ts'

/** The search counts no further. */
const MAX_MATCHES = 1_000
const DECORATIONS = {
  matchBackground: '#8a5a00',
  activeMatchBackground: '#2f56c6',
  matchOverviewRuler: '#8a5a00',
  activeMatchColorOverviewRuler: '#2f56c6',
}

function countOf({ index, count }: { index: number; count: number }): string {
  if (count === 0) return t('noMatch')
  if (count >= MAX_MATCHES) return t('moreMatches', { count: String(MAX_MATCHES) })
  return t('matches', { count: String(count), index: String(index) })
}

/** Looks for a text in what the terminal has shown. Enter goes to the next match, Shift+Enter to the one before. */
export function FindBar({ view, onClose }: { view: TerminalView; onClose: () => void }) {
  const [text, setText] = useState('')
  const [found, setFound] = useState({ index: 0, count: 0 })
  useEffect(() => {
    const listening = view.search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound({ index: resultIndex + 1, count: resultCount }),
    )
    return () => {
      listening.dispose()
      view.search.clearDecorations()
    }
  }, [view])
  const find = (wanted: string, direction: 'next' | 'previous', incremental = false) =>
    view.find(wanted, direction, { decorations: DECORATIONS, incremental })
  return (
    <search className="flex h-9 shrink-0 items-center gap-1 border-line border-b px-2">
      <Input
        autoFocus
        aria-label={t('find')}
        placeholder={t('find')}
        value={text}
        onValueChange={value => {
          setText(value)
          if (value === '') view.search.clearDecorations()
          find(value, 'next', true)
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') find(text, event.shiftKey ? 'previous' : 'next')
          if (event.key === 'Escape') onClose()
        }}
        className="h-6 min-w-0 flex-1"
      />
      <span role="status" className="tabular shrink-0 text-faint text-sm">
        {text !== '' && countOf(found)}
      </span>
      <IconButton
        size="small"
        label={t('findPrevious')}
        icon={<ChevronUp size={14} aria-hidden />}
        onClick={() => find(text, 'previous')}
      />
      <IconButton
        size="small"
        label={t('findNext')}
        icon={<ChevronDown size={14} aria-hidden />}
        onClick={() => find(text, 'next')}
      />
      <IconButton size="small" label={t('closeFind')} icon={<X size={14} aria-hidden />} onClick={onClose} />
    </search>
  )
}
