import { Files } from 'lucide-react'
import { memo } from 'react'
import type { ActionItem, ReadsItem } from '../../../../state/conversation/item.ts'
import { ActionLine } from '../action/ActionLine.tsx'
import { t } from '../text.ts'
import { FoldLine } from './FoldLine.tsx'

/** Consecutive reads and searches as one line. */
export const ReadsLine = memo(function ReadsLine({ item }: { item: ReadsItem }) {
  const names = [...new Set(item.actions.map(whatWasRead))]
  return (
    <FoldLine
      foldKey={`${item.key}-reads`}
      at={item.at}
      icon={<Files size={14} aria-hidden />}
      outcome={amounts(item)}
      body={item.actions.map(action => <ActionLine key={action.key} item={action} phase="resting" />)}
    >
      <span className="shrink-0">{isSearch(item) ? t('searchFor') : t('read')}</span>
      <code className="truncate text-ink text-sm">{names.join(', ')}</code>
    </FoldLine>
  )
})

function whatWasRead({ event: { action } }: ActionItem): string {
  if (action?.kind === 'GrepAction' || action?.kind === 'GlobAction') return action.pattern
  if (action?.kind !== 'FileEditorAction') return ''
  return action.path.split('/').filter(Boolean).at(-1) ?? action.path
}

function amounts({ actions }: ReadsItem): string {
  const reads = actions.filter(({ event }) => event.action?.kind === 'FileEditorAction').length
  const searches = actions.length - reads
  return [
    ...(reads > 0 ? [t('reads', { count: reads })] : []),
    ...(searches > 0 ? [t('searches', { count: searches })] : []),
  ].join(' · ')
}

function isSearch({ actions }: ReadsItem): boolean {
  return actions.every(({ event }) => event.action?.kind !== 'FileEditorAction')
}
