import { BookOpen } from 'lucide-react'
import type { MessageItem } from '../../../../state/conversation/item.ts'
import { TextBlock } from '../message/TextBlock.tsx'
import { t } from '../text.ts'
import { FoldLine } from './FoldLine.tsx'

/** The skills that a message brought in, and what they added for the model. */
export function FiredSkills({ item: { key, at, skills, added } }: { item: MessageItem }) {
  if (skills.length === 0 && !added) return null
  return (
    <FoldLine
      foldKey={`${key}-skills`}
      at={at}
      icon={<BookOpen size={14} aria-hidden />}
      body={
        added ? <TextBlock text={added} label={t('addedForModel')} /> : <p className="py-1 text-faint">{t('noText')}</p>
      }
    >
      <span className="shrink-0">{skills.length > 0 ? t('skills', { count: skills.length }) : t('addedForModel')}</span>
      <code className="min-w-0 truncate text-ink text-sm">{skills.join(', ')}</code>
    </FoldLine>
  )
}
