import { Progress as Base } from '@base-ui/react/progress'

export interface ProgressProps {
  /** What goes on, for those who hear it. */
  label: string
  /** null: how far is not known. */
  value: { done: number; total: number } | null
  className?: string
}

export function Progress({ label, value, className = '' }: ProgressProps) {
  const percent = value && value.total > 0 ? Math.min(100, (value.done / value.total) * 100) : null
  return (
    <Base.Root value={percent} aria-label={label} className={className}>
      <Base.Track className="block h-1 overflow-hidden rounded-full bg-track">
        <Base.Indicator
          className={`block h-full rounded-full bg-accent ${percent === null ? 'w-1/3 animate-slide' : 'transition-[width] duration-100'}`}
        />
      </Base.Track>
    </Base.Root>
  )
}
