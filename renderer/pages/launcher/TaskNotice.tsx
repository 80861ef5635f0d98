import type { LinkProblem } from '../../../electron/ipc.ts'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { authorsOf, withoutReplacing } from '../../state/launch/replaced-draft.ts'
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

const WORDS = {
  link: { what: t('linkFilledIn'), meaning: t('readBeforeStart'), back: t('takeItOut') },
  both: { what: t('linkBeganTask'), meaning: t('readChangedBeforeStart'), back: t('takeItOut') },
  task: { what: t('taskTookPlace'), meaning: t('whatWasHereComesBack'), back: t('putItBack') },
}

export interface TaskNoticeProps {
  problem: LinkProblem | undefined
  draft: LaunchDraft
  /** What there was before is wanted back. */
  onBack: (before: LaunchDraft) => void
}

/** Why a link was not opened; and whose words the task is, as long as not all are a person's that have just been typed. */
export function TaskNotice({ problem, draft, onBack }: TaskNoticeProps) {
  return (
    <>
      {problem ? <Notice what={t('linkNotOpened')} meaning={REASONS[problem]} /> : null}
      <Authors draft={draft} onBack={onBack} />
    </>
  )
}

function Authors({ draft, onBack }: Pick<TaskNoticeProps, 'draft' | 'onBack'>) {
  const authors = authorsOf(draft)
  if (authors === null) return null
  const without = withoutReplacing(draft)
  const { what, meaning, back } = WORDS[authors]
  return (
    <Notice tone="wait" what={what} meaning={meaning}>
      {without ? (
        <Button size="small" onClick={() => onBack(without)}>
          {back}
        </Button>
      ) : null}
    </Notice>
  )
}
