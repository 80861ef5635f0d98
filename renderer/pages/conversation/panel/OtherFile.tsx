import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { GitChange } from '../../../../server/api/git-changes.ts'
import { gitDiffQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { DiffView } from '../timeline/DiffView.tsx'

/** A file that a command changed; git tells how when it is opened. */
export function OtherFile({ change: { path, status } }: { change: GitChange }) {
  const [open, setOpen] = useState(false)
  const slash = path.lastIndexOf('/')
  return (
    <li className="border-line border-b">
      <div className="flex items-center pr-1">
        <button
          type="button"
          aria-expanded={open}
          title={path}
          onClick={() => setOpen(!open)}
          className="flex h-8 min-w-0 flex-1 items-center gap-1.5 px-2 hover:bg-hover"
        >
          <ChevronRight size={13} aria-hidden className={`shrink-0 text-faint ${open ? 'rotate-90' : ''}`} />
          <span className="flex min-w-0 items-baseline gap-1.5">
            <span className="shrink-0 truncate">{path.slice(slash + 1)}</span>
            <span className="truncate text-faint text-sm">{path.slice(0, Math.max(0, slash))}</span>
          </span>
          <span className="ml-auto shrink-0 pl-2">
            {status === 'ADDED' && <Badge tone="good">new</Badge>}
            {status === 'DELETED' && <Badge tone="bad">deleted</Badge>}
          </span>
        </button>
        <CopyButton text={path} label="Copy path" />
      </div>
      {open && <Diff path={path} />}
    </li>
  )
}

function Diff({ path }: { path: string }) {
  const { id } = useOpenConversation()
  const { data, error, refetch, isFetching } = useQuery(gitDiffQuery(useClient(), id, path))
  if (error)
    return (
      <div className="p-2">
        <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
      </div>
    )
  if (!data) return <Skeleton label="Loading the changes" className="p-3" />
  const { original, modified } = data
  if (original === null && modified === null) return <p className="px-3 pb-2 text-soft">It is not a text.</p>
  if (original === modified) return <p className="px-3 pb-2 text-soft">Its text is the same: its mode has changed.</p>
  return <DiffView before={original ?? ''} after={modified ?? ''} label={`Changes in ${path}`} />
}
