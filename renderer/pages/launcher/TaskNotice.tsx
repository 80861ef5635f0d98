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

const NOTICES = {
  link: { tone: 'wait', what: t('linkFilledIn'), meaning: t('readBeforeStart'), back: t('takeItOut') },
  both: { tone: 'wait', what: t('linkBeganTask'), meaning: t('readChangedBeforeStart'), back: t('takeItOut') },
  task: { tone: 'plain', what: t('taskTookPlace'), meaning: t('whatWasHereComesBack'), back: t('putItBack') },
} as const

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
  const { tone, what, meaning, back } = NOTICES[authors]
  const last = draft.replaced.at(-1)
  const other = last?.by === 'task' ? last.before.text.trim() : ''
  return (
    <Notice
      tone={tone}
      what={what}
      meaning={
        <>
          {meaning}
          {other && <span className="mt-1.5 line-clamp-2 border-line border-s-2 ps-2">{other}</span>}
        </>
      }
    >
      {without ? (
        <Button size="small" onClick={() => onBack(without)}>
          {back}
        </Button>
      ) : null}
    </Notice>
  )
}
