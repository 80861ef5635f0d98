import type { ReactNode } from 'react'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { t } from './text.ts'

/** A name and its value; one that is copied rather than read is in monospace. */
export function Entry({ name, copy, children }: { name: string; copy?: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center gap-3">
      <span className="w-24 shrink-0 text-faint">{name}</span>
      <span className={`min-w-0 break-words tabular ${copy ? 'truncate font-mono text-sm' : ''}`}>
        {copy ?? children}
      </span>
      {copy && <CopyButton text={copy} label={t('copyName', { name: name.toLowerCase() })} />}
    </div>
  )
}
