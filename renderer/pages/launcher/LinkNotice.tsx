import type { LinkProblem } from '../../../electron/ipc.ts'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/ErrorNotice.tsx'
import { t } from './text.ts'

export const LINK_PROBLEMS = ['unknown', 'too_long', 'hidden'] as const satisfies LinkProblem[]

const REASONS: Record<LinkProblem, string> = {
  unknown: t('linkIsUnknown'),
  too_long: t('linkIsTooLong'),
  hidden: t('linkHidesText'),
}

export interface LinkNoticeProps {
  problem: LinkProblem | undefined
  draft: LaunchDraft
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** Whose words the task is, as long as they are those of a link; or why a link was not opened. */
export function LinkNotice({ problem, draft: { textBeforeLink }, onChange }: LinkNoticeProps) {
  if (problem) return <Notice what={t('linkNotOpened')} meaning={REASONS[problem]} />
  if (textBeforeLink === null) return null
  return (
    <Notice tone="wait" what={t('linkFilledIn')} meaning={t('readBeforeStart')}>
      <Button size="small" onClick={() => onChange({ text: textBeforeLink, textBeforeLink: null })}>
        {t('takeItOut')}
      </Button>
    </Notice>
  )
}
