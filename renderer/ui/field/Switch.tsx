import { Switch as Base } from '@base-ui/react/switch'

export interface SwitchProps {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
  'aria-label'?: string
}

export function Switch({ checked, onCheckedChange, ...rest }: SwitchProps) {
  return (
    <Base.Root
      {...rest}
      checked={checked}
      onCheckedChange={onCheckedChange}
      className="relative inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-edge bg-sunken px-0.5 transition-colors duration-100 data-checked:border-accent-fill data-checked:bg-accent-fill data-disabled:opacity-55"
    >
      <Base.Thumb className="size-3 rounded-full bg-edge transition-transform duration-100 data-checked:translate-x-3.5 rtl:data-checked:-translate-x-3.5 data-checked:bg-on-accent" />
    </Base.Root>
  )
}
