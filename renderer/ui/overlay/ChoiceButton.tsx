import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

/** For the trigger of a menu: quiet, and shows what is chosen in it. */
export function ChoiceButton({ label, children, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      title={label}
      className="flex h-6 max-w-44 shrink-0 items-center gap-1 rounded-sm px-1 text-faint text-xs hover:bg-hover hover:text-ink data-popup-open:bg-hover"
    >
      <span className="sr-only">{label}: </span>
      {children}
      <ChevronDown size={11} aria-hidden className="shrink-0" />
    </button>
  )
}
