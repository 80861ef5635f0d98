import { Check, Circle, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Spinner } from '../../ui/Spinner.tsx'
import { t } from './text.ts'

export interface CheckRowProps {
  title: string
  state: 'checking' | 'ok' | 'missing' | 'open'
  /** What was found. */
  detail: ReactNode
  /** What can be done. */
  children?: ReactNode
}

const WORDS: Record<CheckRowProps['state'], string> = {
  checking: t('checking'),
  ok: t('ready'),
  missing: t('notAvailable'),
  open: t('notDoneYet'),
}

export function CheckRow({ title, state, detail, children }: CheckRowProps) {
  return (
    <section aria-label={title} className="flex gap-3 border-b border-line p-4 last:border-b-0">
      <span className="flex h-5 w-5 shrink-0 items-center justify-center">
        <StateIcon state={state} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div>
          <h2 className="font-semibold">
            {title}
            <span className="sr-only">, {WORDS[state]}</span>
          </h2>
          <div role="status" className="text-soft">
            {detail}
          </div>
        </div>
        {children}
      </div>
    </section>
  )
}

function StateIcon({ state }: { state: CheckRowProps['state'] }) {
  switch (state) {
    case 'checking':
      return <Spinner className="text-work" />
    case 'ok':
      return <Check size={16} strokeWidth={2.5} aria-hidden className="text-good" />
    case 'missing':
      return <CircleAlert size={16} aria-hidden className="text-bad" />
    case 'open':
      return <Circle size={14} aria-hidden className="text-faint" />
  }
}
