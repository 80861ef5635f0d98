import type { LinkProblem } from '../../../electron/ipc.ts'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { authorsOf, withoutLinkText } from '../../state/launch/link-text.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/ErrorNotice.tsx'
import { t } from './text.ts'

export const LINK_PROBLEMS = ['unknown', 'elsewhere', 'too_long', 'hidden'] as const satisfies LinkProblem[]

const REASONS: Record<LinkProblem, string> = {
  unknown: t('linkIsUnknown'),
  elsewhere: t('linkLeadsElsewhere'),
  too_long: t('linkIsTooLong'),
  hidden: t('linkHidesText'),
}

export interface LinkNoticeProps {
  problem: LinkProblem | undefined
  draft: LaunchDraft
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** Why a link was not opened; and whose words the task is, as long as some are those of a link. */
export function LinkNotice({ problem, draft, onChange }: LinkNoticeProps) {
  return (
    <>
      {problem ? <Notice what={t('linkNotOpened')} meaning={REASONS[problem]} /> : null}
      <Authors draft={draft} onChange={onChange} />
    </>
  )
}

function Authors({ draft, onChange }: Pick<LinkNoticeProps, 'draft' | 'onChange'>) {
  const authors = authorsOf(draft)
  if (authors === null) return null
  const without = withoutLinkText(draft)
  const [what, meaning] =
    authors === 'link' ? [t('linkFilledIn'), t('readBeforeStart')] : [t('linkBeganTask'), t('readChangedBeforeStart')]
  return (
    <Notice tone="wait" what={what} meaning={meaning}>
      {without ? (
        <Button size="small" onClick={() => onChange(without)}>
          {t('takeItOut')}
        </Button>
      ) : null}
    </Notice>
  )
}
