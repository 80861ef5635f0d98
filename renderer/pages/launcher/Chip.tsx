import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Popover } from '../../ui/overlay/Popover.tsx'

export interface ChipProps {
  icon: LucideIcon
  name: string
  /** What was chosen, or null. */
  value: string | null
  /** What holds when nothing was chosen. */
  empty: string
  problem?: string | undefined
  /** The controls that change it. */
  children: ReactNode
}

/** One choice of the launcher, as short as it can be said; its controls open beside it. */
export function Chip({ icon: Icon, name, value, empty, problem, children }: ChipProps) {
  const ink = problem ? 'text-bad data-popup-open:text-ink' : value === null ? 'text-faint' : 'text-ink'
  return (
    <Popover
      title={name}
      trigger={
        <button
          type="button"
          title={problem ?? value ?? empty}
          className={`inline-flex h-6.5 ${value === null ? 'max-w-32' : 'max-w-60'} items-center gap-1.5 rounded-md border border-line px-2 text-sm hover:bg-hover data-popup-open:bg-hover ${ink}`}
        >
          <Icon size={13} aria-hidden className="shrink-0" />
          <span className="sr-only">{name}: </span>
          {/* A name in another script is cut at its own end. */}
          <span dir="auto" className="truncate">
            {value ?? empty}
          </span>
        </button>
      }
    >
      {children}
    </Popover>
  )
}
