import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { t } from '../text.ts'

interface Option<Value extends string> {
  value: Value
  label: string
  hint?: string
}

export interface SelectProps<Value extends string> {
  value: Value | null
  options: readonly Option<Value>[]
  onValueChange: (value: Value) => void
  placeholder?: string
  /** Its name, when it stands outside of a `Field`. */
  'aria-label'?: string
  disabled?: boolean
  className?: string
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, options, onValueChange, placeholder = t('choose'), className = '', disabled = false } = props
  return (
    <Base.Root
      value={value === null ? null : encoded(value)}
      items={options.map(option => ({ ...option, value: encoded(option.value) }))}
      disabled={disabled}
      onValueChange={next => {
        const chosen = options.find(option => encoded(option.value) === next)
        if (chosen) onValueChange(chosen.value)
      }}
    >
      <Base.Trigger
        aria-label={props['aria-label']}
        className={`control flex h-8 items-center justify-between gap-2 text-start ${className}`}
      >
        <Base.Value placeholder={placeholder} className="truncate data-placeholder:text-faint" />
        <Base.Icon className="text-faint">
          <ChevronsUpDown size={13} aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="popup max-w-[min(480px,var(--available-width))] min-w-(--anchor-width)">
            <Base.List className="max-h-[min(320px,var(--available-height))] overflow-y-auto p-1">
              {options.map(option => (
                <SelectItem key={option.value} option={option} />
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** An empty value means "nothing chosen" to the control below, but to its users it is a choice like the others. */
function encoded(value: string): string {
  return value === '' ? '(empty)' : value
}

function SelectItem({ option }: { option: Option<string> }) {
  return (
    <Base.Item
      value={encoded(option.value)}
      className="flex min-h-7 items-center gap-2 rounded-sm px-2 py-1 outline-none data-highlighted:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <Base.ItemText className="block truncate">{option.label}</Base.ItemText>
        {option.hint ? <span className="block truncate text-sm text-faint">{option.hint}</span> : null}
      </span>
      <Base.ItemIndicator className="text-accent">
        <Check size={13} aria-hidden />
      </Base.ItemIndicator>
    </Base.Item>
  )
}
