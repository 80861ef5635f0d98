import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './overlay/Tooltip.tsx'
import { Spinner } from './Spinner.tsx'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'
type Size = 'small' | 'medium' | 'large'

const VARIANTS: Record<Variant, string> = {
  primary: 'border border-transparent forced-color-adjust-none bg-accent-fill text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line bg-raised text-ink hover:bg-hover',
  quiet: 'text-soft hover:bg-hover hover:text-ink data-[popup-open]:bg-hover data-[popup-open]:text-ink',
  danger: 'border border-transparent forced-color-adjust-none bg-bad-fill text-on-accent hover:brightness-90',
}

const SIZES: Record<Size, string> = {
  small: 'h-6 gap-1 px-2 text-sm',
  medium: 'h-7 gap-1.5 px-2.5',
  large: 'h-8 gap-2 px-3.5 font-medium',
}

const SHAPE =
  'inline-flex shrink-0 items-center justify-center rounded-md whitespace-nowrap transition-colors duration-100 ' +
  'data-disabled:opacity-55 [&_svg]:shrink-0'

/** The classes of a button, for a link that looks like one. */
export function buttonClass(look: Variant = 'secondary', size: Size = 'medium'): string {
  return `${SHAPE} ${SIZES[size]} ${VARIANTS[look]}`
}

export interface ButtonProps extends Omit<ComponentProps<typeof BaseButton>, 'disabled' | 'className'> {
  look?: Variant
  size?: Size
  icon?: ReactNode
  /** Why it cannot be pressed now; it stays focusable and says so. */
  disabledReason?: string | null | undefined
  /** Goes on: shows a spinner and ignores presses. */
  busy?: boolean
  className?: string
}

export function Button(props: ButtonProps) {
  const { look = 'secondary', size = 'medium', icon, disabledReason, busy = false, className = '', ...rest } = props
  const button = (
    <BaseButton
      type="button"
      focusableWhenDisabled
      {...rest}
      disabled={busy || Boolean(disabledReason)}
      aria-busy={busy || undefined}
      className={`${buttonClass(look, size)} ${className}`}
    >
      {busy ? <Spinner /> : icon}
      {rest.children}
    </BaseButton>
  )
  return disabledReason ? <Tooltip text={disabledReason}>{button}</Tooltip> : button
}

export interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children'> {
  /** Its name, spoken and shown on hover. */
  label: string
  icon: ReactNode
  /** The keys that do the same, as `Kbd` takes them. */
  shortcut?: string
}

export function IconButton({
  label,
  icon,
  shortcut,
  look = 'quiet',
  disabledReason,
  className = '',
  ...rest
}: IconButtonProps) {
  const { size = 'medium', busy = false, ...others } = rest
  const square = size === 'small' ? 'size-6' : 'size-7'
  return (
    <Tooltip text={disabledReason ?? label} shortcut={shortcut}>
      <BaseButton
        type="button"
        focusableWhenDisabled
        {...others}
        aria-label={label}
        disabled={busy || Boolean(disabledReason)}
        className={`${SHAPE} ${VARIANTS[look]} ${square} ${className}`}
      >
        {busy ? <Spinner /> : icon}
      </BaseButton>
    </Tooltip>
  )
}
