import { useMemo } from 'react'
import type { FileChange } from '../../../../state/conversation/changes.ts'
import { shownName } from '../../../../state/files/tree.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { DiffView } from '../../timeline/action/DiffView.tsx'
import { diffCounts } from '../../timeline/action/diff-lines.ts'
import { t } from '../text.ts'
import { FileRow } from './FileRow.tsx'

export function ChangedFile({ change }: { change: FileChange }) {
  const { path, before, after, edits, complete } = change
  const marks = (
    <>
      {before === null && <Badge tone="good">{t('new')}</Badge>}
      {after === null && <Badge tone="bad">{t('deleted')}</Badge>}
      {complete && <Counts before={before ?? ''} after={after ?? ''} />}
    </>
  )
  return (
    <FileRow path={path} title={t('pathWithEdits', { path: shownName(path), edits })} marks={marks}>
      {complete ? (
        <DiffView path={path} before={before ?? ''} after={after ?? ''} />
      ) : (
        <p className="px-3 pb-2 text-soft">{t('fileIsTooLarge')}</p>
      )}
    </FileRow>
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
