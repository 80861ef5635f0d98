import { ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { FileChange } from '../../../state/conversation-changes.ts'
import { count } from '../../../state/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { DiffView } from '../timeline/DiffView.tsx'
import { diffCounts } from '../timeline/diff-lines.ts'

export function ChangedFile({ change }: { change: FileChange }) {
  const { path, before, after, edits, complete } = change
  const [open, setOpen] = useState(false)
  const slash = path.lastIndexOf('/')
  return (
    <li className="border-line border-b">
      <div className="flex items-center pr-1">
        <button
          type="button"
          aria-expanded={open}
          title={`${path}, ${count(edits, 'edit')}`}
          onClick={() => setOpen(!open)}
          className="flex h-8 min-w-0 flex-1 items-center gap-1.5 px-2 hover:bg-hover"
        >
          <ChevronRight size={13} aria-hidden className={`shrink-0 text-faint ${open ? 'rotate-90' : ''}`} />
          <span className="flex min-w-0 items-baseline gap-1.5">
            <span className="shrink-0 truncate">{path.slice(slash + 1)}</span>
            <span className="truncate text-faint text-sm">{path.slice(0, Math.max(0, slash))}</span>
          </span>
          <span className="ml-auto flex shrink-0 items-center gap-2 pl-2">
            {before === null && <Badge tone="good">new</Badge>}
            {after === null && <Badge tone="bad">deleted</Badge>}
            {complete && <Counts before={before ?? ''} after={after ?? ''} />}
          </span>
        </button>
        <CopyButton text={path} label="Copy path" />
      </div>
      {open &&
        (complete ? (
          <DiffView before={before ?? ''} after={after ?? ''} label={`Changes in ${path}`} />
        ) : (
          <p className="px-3 pb-2 text-soft">
            The file is too large for its texts to be recorded, so there is no diff.
          </p>
        ))}
    </li>
  )
}

function Counts({ before, after }: { before: string; after: string }) {
  const { added, removed } = useMemo(() => diffCounts(before, after), [before, after])
  return (
    <span className="text-sm tabular">
      <span className="text-good">+{added}</span> <span className="text-bad">−{removed}</span>
    </span>
  )
}
