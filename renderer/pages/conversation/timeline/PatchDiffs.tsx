import type { Observation } from '../../../../server/api/observations.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { DiffView } from './DiffView.tsx'

type Changes = NonNullable<Extract<Observation, { kind: 'ApplyPatchObservation' }>['commit']>['changes']

const MARKS = {
  add: { tone: 'good', word: 'new' },
  delete: { tone: 'bad', word: 'deleted' },
  update: null,
} as const

/** What a patch did, file by file. */
export function PatchDiffs({ changes }: { changes: Changes }) {
  return (
    <ul className="flex flex-col gap-2">
      {Object.entries(changes).map(([path, { type, old_content = '', new_content = '', move_path }]) => {
        const mark = MARKS[type]
        return (
          <li key={path} className="overflow-hidden rounded-md border border-line bg-surface">
            <p className="flex items-center gap-2 border-line border-b bg-sunken py-0.5 pr-1 pl-3 font-mono text-sm">
              <span className="min-w-0 flex-1 break-all">{move_path ? `${path} → ${move_path}` : path}</span>
              {mark && <Badge tone={mark.tone}>{mark.word}</Badge>}
              <CopyButton text={move_path ?? path} label="Copy path" />
            </p>
            <DiffView before={old_content} after={new_content} label={`Changes in ${path}`} />
          </li>
        )
      })}
    </ul>
  )
}
