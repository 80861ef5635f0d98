import { Button } from '../../../../ui/Button.tsx'
import { Select } from '../../../../ui/field/Select.tsx'
import { isTakeable } from './takeable.ts'
import { t } from './text.ts'
import type { Comparing } from './use-comparison.ts'
import { useSides } from './use-sides.ts'

interface Props {
  comparing: Comparing
  /** null where the window has no room for it. */
  isSplit: boolean | null
  onSplit: (split: boolean) => void
  onTake: () => void
}

/** Which two are compared, how, and what can be taken from one into the other. */
export function ComparisonToolbar({ comparing, isSplit, onSplit, onTake }: Props) {
  const { pair, setPair, list, files, working } = comparing
  const sides = useSides()
  const reason =
    pair[0] === pair[1] || !list.data
      ? t('compareFirst')
      : working.length > 0
        ? t('pauseAgentFirst')
        : files.some(isTakeable)
          ? null
          : t('noDifference')
  return (
    <>
      {(['A', 'B'] as const).map((letter, index) => (
        <span key={letter} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className="font-medium text-soft">
            {letter}
          </span>
          <Select
            aria-label={t('side', { letter })}
            value={pair[index] ?? null}
            options={sides}
            onValueChange={value => setPair(index === 0 ? [value, pair[1]] : [pair[0], value])}
            className="w-60"
          />
        </span>
      ))}
      {isSplit !== null && (
        <Button
          className="aria-pressed:border-accent aria-pressed:bg-accent-wash"
          aria-pressed={isSplit}
          onClick={() => onSplit(!isSplit)}
        >
          {t('sideBySide')}
        </Button>
      )}
      <Button disabledReason={reason} onClick={onTake}>
        {t('takeFromB')}
      </Button>
    </>
  )
}
