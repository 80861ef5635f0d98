import { Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import { t } from './text.ts'

/** Things that can be edited and removed, one a line. */
export function RowList({ label, empty, children }: { label: string; empty: string | null; children: ReactNode }) {
  if (empty) return <p className="rounded-md border border-line px-3 py-4 text-center text-faint">{empty}</p>
  return (
    <ul aria-label={label} className="rounded-md border border-line">
      {children}
    </ul>
  )
}

/** As high as a list of one row or none, with a button above it where there is `action`: nothing below moves once it is read. */
export function LoadingRows({ label, action = false }: { label: string; action?: boolean }) {
  return (
    <div role="status" aria-label={label} className="flex animate-appear flex-col gap-3">
      {action ? <div className="h-7 w-36 animate-breathe rounded-md bg-hover" /> : null}
      <div className="rounded-md border border-line px-3 py-4">
        <div className="h-5 w-2/3 animate-breathe rounded-sm bg-hover" />
      </div>
    </div>
  )
}

export interface RowProps {
  title: string
  detail?: ReactNode
  mono?: boolean
  badges?: ReactNode
  onEdit: () => void
  onRemove: () => void
  removing?: boolean
}

export function Row({ title, detail, mono = false, badges, onEdit, onRemove, removing = false }: RowProps) {
  return (
    <li className="flex items-center gap-2 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className={`block truncate ${mono ? 'font-mono text-sm' : ''}`}>{title}</span>
        {detail ? <span className="block truncate text-sm text-faint">{detail}</span> : null}
      </span>
      {badges}
      <IconButton
        size="small"
        label={t('editTitle', { title })}
        icon={<Pencil size={13} aria-hidden />}
        onClick={onEdit}
      />
      <IconButton
        size="small"
        label={t('removeTitle', { title })}
        icon={<Trash2 size={13} aria-hidden />}
        busy={removing}
        onClick={onRemove}
      />
    </li>
  )
}
