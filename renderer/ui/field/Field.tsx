import { Field as Base } from '@base-ui/react/field'
import type { ReactNode } from 'react'

export interface FieldProps {
  label: string
  hint?: ReactNode
  /** What is wrong with the value, and what fits. */
  error?: string | undefined
  /** Beside the label, at the end of its line. */
  aside?: ReactNode
  children: ReactNode
  className?: string
  /** Where what stands around it says what it is. */
  hidesLabel?: boolean
}

/** A labelled control with its hint and its error; `Input`, `Textarea`, `Select` and `Switch` find their label by it. */
export function Field({ label, hint, error, aside, children, className = '', hidesLabel = false }: FieldProps) {
  return (
    <Base.Root invalid={Boolean(error)} className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <div className={hidesLabel ? 'sr-only' : 'flex items-baseline justify-between gap-2'}>
        <Base.Label className="font-medium">{label}</Base.Label>
        {aside}
      </div>
      {children}
      {error ? (
        <Base.Error match className="text-sm text-bad">
          {error}
        </Base.Error>
      ) : null}
      {hint ? <Base.Description className="text-sm text-faint">{hint}</Base.Description> : null}
    </Base.Root>
  )
}
