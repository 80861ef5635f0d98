import { Files } from 'lucide-react'
import { memo } from 'react'
import type { ReadsItem } from '../../../state/conversation-items.ts'
import { count } from '../../../state/format.ts'
import { ActionLine } from './ActionLine.tsx'
import { FoldLine } from './FoldLine.tsx'

/** Consecutive reads as one line. */
export const ReadsLine = memo(function ReadsLine({ item }: { item: ReadsItem }) {
  const names = [...new Set(item.actions.map(fileName))]
  return (
    <FoldLine
      foldKey={`${item.key}-reads`}
      at={item.at}
      icon={<Files size={14} aria-hidden />}
      outcome={count(item.actions.length, 'read')}
      body={item.actions.map(action => <ActionLine key={action.key} item={action} working={false} />)}
    >
      <span className="shrink-0">Read</span>
      <code className="truncate text-ink text-sm">{names.join(', ')}</code>
    </FoldLine>
  )
})

function fileName({ event: { action } }: ReadsItem['actions'][number]): string {
  if (action?.kind !== 'FileEditorAction') return ''
  return action.path.split('/').filter(Boolean).at(-1) ?? action.path
}
