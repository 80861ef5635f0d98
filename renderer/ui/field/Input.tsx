import { Input as Base } from '@base-ui/react/input'
import type { ComponentProps } from 'react'

export interface InputProps extends Omit<ComponentProps<typeof Base>, 'className' | 'onValueChange'> {
  onValueChange?: (value: string) => void
  className?: string
  /** Code, addresses, ids. */
  mono?: boolean
}

export function Input({ className = '', mono = false, onValueChange, ...rest }: InputProps) {
  return (
    <Base
      autoComplete="off"
      spellCheck={false}
      {...rest}
      onValueChange={value => onValueChange?.(value)}
      className={`control h-8 ${mono ? 'font-mono text-sm' : ''} ${className}`}
    />
  )
}
