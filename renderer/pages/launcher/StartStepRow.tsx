import { Check, Circle, type LucideIcon, X } from 'lucide-react'
import { formatDuration } from '../../state/format.ts'
import type { ShownStep } from '../../state/launch/start-steps.ts'
import { START_STEP_WORDS } from '../../state/words.ts'
import { Progress } from '../../ui/Progress.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { t } from './text.ts'

const PHASES: Record<ShownStep['phase'], { word: string; ink: string; icon: LucideIcon | null }> = {
  waiting: { word: t('pending'), ink: 'text-faint', icon: Circle },
  going: { word: t('inProgress'), ink: 'text-work', icon: null },
  done: { word: t('done'), ink: 'text-good', icon: Check },
  failed: { word: t('failed'), ink: 'text-bad', icon: X },
}

export function StartStepRow({ step, now }: { step: ShownStep; now: number }) {
  const { status, phase, startedAt, finishedAt, detail, progress } = step
  const { word, ink, icon: Icon } = PHASES[phase]
  const name = START_STEP_WORDS[status]
  return (
    <li className="flex gap-3 border-b border-line py-2 last:border-b-0">
      <span className={`flex h-5 w-4 shrink-0 items-center justify-center ${ink}`}>
        {Icon ? <Icon size={14} strokeWidth={2.5} aria-hidden /> : <Spinner />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3">
          <span className={phase === 'waiting' ? 'text-faint' : 'font-medium'}>
            {name}
            <span className="sr-only">, {word}</span>
          </span>
          <span className="tabular text-faint">
            {startedAt === null ? '' : formatDuration((finishedAt ?? now) - startedAt)}
          </span>
        </div>
        {detail ? <p className="mt-0.5 font-mono text-sm break-words text-soft">{detail}</p> : null}
        {phase === 'going' && progress ? <Progress label={name} value={progress} className="mt-1.5" /> : null}
      </div>
    </li>
  )
}
