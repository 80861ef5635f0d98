import { type ReactNode, useState } from 'react'
import type { ComparedFile } from '../../../../../server/api/v1/conversation/comparisons.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Checkbox } from '../../../../ui/field/Checkbox.tsx'
import { useFocusHeir } from '../../../../ui/focus-heir.ts'
import { Change, FilePath, Modes } from './ComparedList.tsx'
import { isConflict } from './takeable.ts'
import { t } from './text.ts'

const FIRST_SHOWN = 200
const MORE_SHOWN = 1_000

interface Props {
  files: readonly ComparedFile[]
  chosen: ReadonlySet<string>
  /** How many of the files are chosen. */
  count: number
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** The files by choice, all or none of them at once. Many show their beginning until asked for more. */
export function FilesToTake({ files, chosen, count, onChoose }: Props) {
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const rest = files.slice(limit)
  function choose(path: string, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(path)
    else next.delete(path)
    onChoose(next)
  }
  return (
    <>
      {files.length > 1 ? (
        <Checkbox
          checked={count === files.length}
          mixed={count > 0 && count < files.length}
          onCheckedChange={all => onChoose(new Set(all ? files.map(({ path }) => path) : []))}
        >
          {t('allFiles')}
        </Checkbox>
      ) : null}
      <ul aria-label={t('filesToTake')} className="flex flex-col gap-1 rounded-md border border-line px-2 py-1.5">
        {files.slice(0, limit).map(file => (
          <li key={file.path} className="[content-visibility:auto]">
            <Checkbox checked={chosen.has(file.path)} onCheckedChange={isChosen => choose(file.path, isChosen)}>
              <FileToTake file={file} />
            </Checkbox>
          </li>
        ))}
      </ul>
      {rest.length > 0 ? (
        <More onMore={() => setLimit(limit + MORE_SHOWN)}>
          {t('showMoreFiles', { left: rest.length, chosen: rest.filter(({ path }) => chosen.has(path)).length })}
        </More>
      ) : null}
    </>
  )
}

/** The button that shows more; when it goes, the last file before those has the focus. */
function More({ onMore, children }: { onMore: () => void; children: ReactNode }) {
  const own = useFocusHeir<HTMLDivElement>(({ previousElementSibling: list }) =>
    list?.querySelector<HTMLElement>('li:last-child [role=checkbox]'),
  )
  return (
    <div ref={own}>
      <Button size="small" onClick={onMore}>
        {children}
      </Button>
    </div>
  )
}

function FileToTake({ file }: { file: ComparedFile }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="min-w-0 flex-1 basis-40 break-all font-mono text-sm">
        <FilePath file={file} />
      </span>
      <span className="flex flex-wrap items-center gap-2 text-sm tabular">
        {isConflict(file) ? <Badge tone="wait">{t('changedInBoth')}</Badge> : null}
        {file.state === 'only_here' ? (
          <Badge tone="bad">{t('isRemoved')}</Badge>
        ) : (
          <Change letter="B" change={file.there} />
        )}
        <Modes file={file} />
      </span>
    </span>
  )
}
