import { Field } from '@base-ui/react/field'
import type { ComponentProps } from 'react'

export interface TextareaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'defaultValue'> {
  value: string
  onValueChange: (value: string) => void
  /** No border and ground of its own: it lies on a card. */
  bare?: boolean
}

/** Grows with its text, up to a third of the window. */
export function Textarea({ className = '', bare = false, onValueChange, value, ...rest }: TextareaProps) {
  const look = bare ? 'w-full bg-transparent outline-none' : 'control py-1.5'
  return (
    <Field.Control
      value={value}
      render={
        <textarea
          dir="auto"
          {...rest}
          onChange={event => onValueChange(event.target.value)}
          className={`field-sizing-content max-h-[33vh] min-h-20 resize-none ${look} ${className}`}
        />
      }
    />
  )
}
