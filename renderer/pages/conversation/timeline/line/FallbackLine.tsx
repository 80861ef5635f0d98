import { Replace } from 'lucide-react'
import type { FallbackItem } from '../../../../state/conversation/item.ts'
import { t } from '../text.ts'
import { FoldLine } from './FoldLine.tsx'

/** Another model than the chosen one answers from here on; why is folded away. */
export function FallbackLine({ item }: { item: FallbackItem }) {
  const { from, to, reason } = item.fallback
  return (
    <FoldLine
      foldKey={item.key}
      at={item.at}
      icon={<Replace size={14} aria-hidden />}
      body={<p className="whitespace-pre-wrap py-1 [overflow-wrap:anywhere]">{reason}</p>}
    >
      <span className="min-w-0 truncate">
        {t.rich('answersInPlace', { to, from, model: chunks => <span className="text-ink">{chunks}</span> })}
      </span>
    </FoldLine>
  )
}
