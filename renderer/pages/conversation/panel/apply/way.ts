import type { ReactNode } from 'react'

/** One way back into the folder, as the dialog shows it. */
export interface Way {
  content: ReactNode
  /** At the other end of the dialog's foot. */
  aside: ReactNode
  /** What the button says. */
  label: string
  submit: () => void
  isPending: boolean
  error: unknown
  reasonAgainst: string | null
}
