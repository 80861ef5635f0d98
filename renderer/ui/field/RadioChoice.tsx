import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'

export interface RadioChoiceProps<T extends string> {
  'aria-label': string
  options: readonly { value: T; label: string; detail: ReactNode }[]
  value: T
  onValueChange: (value: T) => void
  disabled?: boolean
}

/** One of a few, each with a word on what it means. */
export function RadioChoice<T extends string>({
  options,
  value,
  onValueChange,
  disabled = false,
  ...rest
}: RadioChoiceProps<T>) {
  return (
    <RadioGroup
      aria-label={rest['aria-label']}
      value={value}
      disabled={disabled}
      onValueChange={next => onValueChange(next as T)}
      className="-mx-1 flex flex-col gap-0.5"
    >
      {options.map(option => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className="group flex items-start gap-2 rounded-sm px-2 py-1.5 text-start not-data-disabled:hover:bg-hover data-disabled:opacity-55"
        >
          <span className="mt-1 flex size-3.5 shrink-0 items-center justify-center rounded-full border border-edge group-data-checked:border-accent">
            <Radio.Indicator className="size-2 rounded-full bg-accent" />
          </span>
          <span className="min-w-0">
            <span className="block">{option.label}</span>
            <span className="block text-sm text-faint">{option.detail}</span>
          </span>
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
