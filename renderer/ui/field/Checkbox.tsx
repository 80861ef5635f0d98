import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'

export interface CheckboxProps {
  checked: boolean
  /** Some of what it stands for, and not all. */
  mixed?: boolean
  onCheckedChange: (checked: boolean) => void
  children: ReactNode
}

/** One choice of many, with its label behind it. */
export function Checkbox({ checked, mixed = false, onCheckedChange, children }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control
    <label className="flex min-h-6 min-w-0 items-center gap-2">
      <Base.Root
        checked={checked}
        indeterminate={mixed}
        onCheckedChange={onCheckedChange}
        className="flex size-4 shrink-0 items-center justify-center rounded-sm border border-edge data-checked:border-accent-fill data-checked:bg-accent-fill data-indeterminate:border-accent-fill data-indeterminate:bg-accent-fill"
      >
        <Base.Indicator className="text-on-accent">
          {mixed ? <Minus size={12} aria-hidden /> : <Check size={12} aria-hidden />}
        </Base.Indicator>
      </Base.Root>
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  )
}
