import { useState } from 'react'
import type { Observation } from '../../../../../server/api/event/observations.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { t } from '../text.ts'
import { DiffView } from './DiffView.tsx'

type Changes = NonNullable<Extract<Observation, { kind: 'ApplyPatchObservation' }>['commit']>['changes']

const MARKS = {
  add: { tone: 'good', word: t('new') },
  delete: { tone: 'bad', word: t('deleted') },
  update: null,
} as const

/** Each is compared line by line when it is shown. */
const FIRST_FILES = 20

/** What a patch did, file by file. */
export function PatchDiffs({ changes }: { changes: Changes }) {
  const [limit, setLimit] = useState(FIRST_FILES)
  const files = Object.entries(changes)
  const left = files.length - limit
  return (
    <ul className="flex flex-col gap-2">
      {files.slice(0, limit).map(([path, { type, old_content, new_content, move_path }]) => {
        const mark = MARKS[type]
        return (
          <li key={path} className="overflow-hidden rounded-md border border-line bg-surface">
            <p className="flex items-center gap-2 border-line border-b bg-sunken py-0.5 pe-1 ps-3 font-mono text-sm">
              <span className="min-w-0 flex-1 break-all">
                <PathText path={move_path ? `${path} → ${move_path}` : path} />
              </span>
              {mark && <Badge tone={mark.tone}>{mark.word}</Badge>}
              <CopyButton text={move_path ?? path} label={t('copyPath')} />
            </p>
            {isRecorded(type, old_content, new_content) ? (
              <DiffView path={path} before={old_content ?? ''} after={new_content ?? ''} />
            ) : (
              <p className="px-3 py-2 text-soft text-sm">{t('fileIsTooLarge')}</p>
            )}
          </li>
        )
      })}
      {left > 0 && (
        <li>
          <Button size="small" onClick={() => setLimit(limit + FIRST_FILES)}>
            {t('showSomeFiles', { count: Math.min(left, FIRST_FILES), left })}
          </Button>
        </li>
      )}
    </ul>
  )
}

/** An edit without one of its texts would look like a file that was added or emptied. */
function isRecorded(type: keyof typeof MARKS, before: string | undefined, after: string | undefined): boolean {
  if (type === 'add') return after !== undefined
  return before !== undefined && (type === 'delete' || after !== undefined)
}
