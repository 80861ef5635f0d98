import { Lightbulb } from 'lucide-react'
import { memo } from 'react'
import type { ThoughtItem } from '../../../../state/conversation/item.ts'
import { t } from '../text.ts'
import { FoldLine } from './FoldLine.tsx'

export const ThoughtLine = memo(function ThoughtLine({ item }: { item: ThoughtItem }) {
  return (
    <FoldLine
      foldKey={item.key}
      at={item.at}
      icon={<Lightbulb size={14} aria-hidden />}
      body={<p className="whitespace-pre-wrap break-words py-1 text-soft">{item.text}</p>}
    >
      <span className="shrink-0">{t('thought')}</span>
      <span className="truncate text-faint group-aria-expanded/line:hidden">{item.text.split('\n', 1)[0]}</span>
    </FoldLine>
  )
})
