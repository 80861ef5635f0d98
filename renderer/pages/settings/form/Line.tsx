import type { ReactNode } from 'react'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { t } from './text.ts'

export interface LineProps {
  name: string
  value: string
  /** In place of the value, where that is not for every eye. */
  shown?: string
  note?: ReactNode
  /** Beside the name. */
  aside?: ReactNode
}

/** A value to be copied. */
export function Line({ name, value, shown = value, note, aside }: LineProps) {
  return (
    <div>
      <div className="flex items-center justify-between gap-2">
        <p className="font-medium">{name}</p>
        {aside}
      </div>
      <p className="mt-1 flex items-center gap-1 rounded-md bg-sunken py-1 pe-1 ps-2">
        <code className="min-w-0 flex-1 break-all whitespace-pre-wrap font-mono text-sm">{shown}</code>
        <CopyButton text={value} label={t('copyName', { name })} />
      </p>
      {note ? <p className="mt-1 text-faint text-sm">{note}</p> : null}
    </div>
  )
}
