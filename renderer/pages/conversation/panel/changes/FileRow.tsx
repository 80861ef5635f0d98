import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { ContextMenu } from '../../../../ui/overlay/ContextMenu.tsx'
import { copyText } from '../../../../ui/overlay/copy-text.ts'
import { MenuItem } from '../../../../ui/overlay/Menu.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { t } from '../text.ts'

interface Props {
  path: string
  title: string
  /** How the file changed, in short. */
  marks: ReactNode
  /** Shown while the row is open. */
  children: ReactNode
}

/** A file that has changed: its name, its folder, and what changed when it is opened. */
export function FileRow({ path, title, marks, children }: Props) {
  const [open, setOpen] = useState(false)
  const slash = path.lastIndexOf('/')
  return (
    <li className="border-line border-b">
      <ContextMenu trigger={<div className="flex items-center pe-1" />} items={<FileItems path={path} />}>
        <button
          type="button"
          aria-expanded={open}
          title={title}
          onClick={() => setOpen(!open)}
          className="flex h-8 min-w-0 flex-1 items-center gap-1.5 px-2 hover:bg-hover"
        >
          <ChevronRight size={13} aria-hidden className={`shrink-0 text-faint ${open ? 'rotate-90' : ''}`} />
          <span className="flex min-w-0 items-baseline gap-1.5">
            <span className="shrink-0 truncate">
              <PathText path={path.slice(slash + 1)} />
            </span>
            <span className="truncate text-faint text-sm">
              <PathText path={path.slice(0, Math.max(0, slash))} />
            </span>
          </span>
          <span className="ms-auto flex shrink-0 items-center gap-2 ps-2">{marks}</span>
        </button>
        <CopyButton text={path} label={t('copyPath')} />
      </ContextMenu>
      {open && children}
    </li>
  )
}

function FileItems({ path }: { path: string }) {
  return (
    <>
      <MenuItem onSelect={() => void copyText(path)}>{t('copyPath')}</MenuItem>
      <MenuItem onSelect={() => void copyText(path.slice(path.lastIndexOf('/') + 1))}>{t('copyFileName')}</MenuItem>
    </>
  )
}
