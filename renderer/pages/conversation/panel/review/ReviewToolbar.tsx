import { useState } from 'react'
import type { ReviewBase } from '../../../../../server/api/v1/conversation/review.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { Select } from '../../../../ui/field/Select.tsx'
import { CheckpointChoice } from './CheckpointChoice.tsx'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

const BASES: readonly { value: ReviewBase; label: string }[] = [
  { value: 'start', label: t('sinceStart') },
  { value: 'last_turn', label: t('sinceLastTurn') },
  { value: 'last_commit', label: t('sinceLastCommit') },
  { value: 'unstaged', label: t('notStaged') },
  { value: 'staged', label: t('staged') },
  { value: 'default_branch', label: t('sinceDefaultBranch') },
  { value: 'commit', label: t('sinceCommit') },
  { value: 'checkpoint', label: t('sinceCheckpoint') },
]

const PRESSED = 'aria-pressed:border-accent aria-pressed:bg-accent-wash'

interface Props {
  review: Review
  isSplit: boolean
  onSplit: (split: boolean) => void
  isWhole: boolean
  onWhole: (whole: boolean) => void
}

export function ReviewToolbar({ review, isSplit, onSplit, isWhole, onWhole }: Props) {
  const { compared, setCompared, all } = review
  const [asked, setAsked] = useState<ReviewBase>(compared.base)
  const [commit, setCommit] = useState('')
  function choose(base: ReviewBase) {
    setAsked(base)
    if (base !== 'commit' && base !== 'checkpoint') setCompared({ base, named: null })
  }
  return (
    <>
      <Select<ReviewBase>
        aria-label={t('baseOfComparison')}
        value={asked}
        options={BASES}
        onValueChange={choose}
        className="w-52"
      />
      {asked === 'commit' && (
        <form
          className="flex gap-2"
          onSubmit={event => {
            event.preventDefault()
            if (commit.trim()) setCompared({ base: 'commit', named: commit.trim() })
          }}
        >
          <Input aria-label={t('commitToCompare')} value={commit} onValueChange={setCommit} />
          <Button type="submit" disabledReason={commit.trim() ? null : t('nameCommit')}>
            {t('compare')}
          </Button>
        </form>
      )}
      {asked === 'checkpoint' && <CheckpointChoice review={review} />}
      <Button className={PRESSED} aria-pressed={isSplit} onClick={() => onSplit(!isSplit)}>
        {t('splitView')}
      </Button>
      <Button className={PRESSED} aria-pressed={isWhole} onClick={() => onWhole(!isWhole)}>
        {t('wholeFile')}
      </Button>
      <span className="hidden text-soft tabular narrow:inline">
        {t('filesViewed', { viewed: String(all.filter(review.isViewed).length), count: all.length })}
      </span>
    </>
  )
}
