import { useEffect, useRef } from 'react'
import type { ComparedFile, Comparison, SideChange } from '../../../../../server/api/v1/conversation/comparisons.ts'
import { shownName } from '../../../../state/files/tree.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { isConflict } from './takeable.ts'
import { t } from './text.ts'
import type { Comparing } from './use-comparison.ts'

const STATES = {
  differs: null,
  same: { tone: 'neutral', word: t('same') },
  only_here: { tone: 'neutral', word: t('inAOnly') },
  only_there: { tone: 'neutral', word: t('inBOnly') },
  moved: { tone: 'neutral', word: t('moved') },
} as const

/** The files with what either has done to them. */
export function ComparedList({ comparing, comparison }: { comparing: Comparing; comparison: Comparison }) {
  const { files, file, choose } = comparing
  const list = useRef<HTMLElement>(null)
  const shown = file?.path
  // Keys go from file to file, beyond what can be seen of the list.
  useEffect(() => {
    if (shown !== undefined) list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <nav
      ref={list}
      aria-label={t('comparedFiles')}
      className="flex max-h-1/3 w-full shrink-0 flex-col overflow-y-auto border-line border-b py-1 narrow:max-h-none narrow:w-80 narrow:border-e narrow:border-b-0"
    >
      {comparison.has_common_files ? null : <p className="px-3 py-2 text-soft text-sm">{t('noCommonFiles')}</p>}
      <ul>
        {files.map(each => (
          <li key={each.path} className="[content-visibility:auto]">
            <button
              type="button"
              aria-current={each.path === file?.path}
              title={shownName(each.path)}
              onClick={() => choose(each)}
              className={`flex w-full flex-col px-3 py-1.5 text-start ${each.path === file?.path ? 'bg-selected' : 'hover:bg-hover'}`}
            >
              <span className="flex w-full items-center gap-1.5">
                <span className="min-w-0 flex-1 break-all">
                  <FilePath file={each} />
                </span>
                <StateOfFile file={each} />
              </span>
              <span className="flex flex-wrap gap-x-3 text-sm tabular">
                <Change letter="A" change={each.here} />
                <Change letter="B" change={each.there} />
                <Modes file={each} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {comparison.complete ? null : <p className="px-3 py-2 text-soft">{t('notAllListed')}</p>}
    </nav>
  )
}

function StateOfFile({ file }: { file: ComparedFile }) {
  if (isConflict(file)) return <Badge tone="wait">{t('changedInBoth')}</Badge>
  const state = STATES[file.state]
  return state && <Badge tone={state.tone}>{state.word}</Badge>
}

/** Where it lies in A, and in B where that is elsewhere. */
export function FilePath({ file: { path, other_path } }: { file: ComparedFile }) {
  return (
    <bdi dir="ltr">
      <PathText path={path} />
      {other_path === null ? null : (
        <span className="text-soft">
          {' → '}
          <PathText path={other_path} />
        </span>
      )}
    </bdi>
  )
}

/** What one of them has done to a file; nothing for what it left as it was. */
export function Change({ letter, change }: { letter: 'A' | 'B'; change: SideChange | null }) {
  if (!change) return null
  const { status, additions, deletions } = change
  return (
    <span className="text-soft">
      {letter} {status === 'ADDED' ? `${t('added')} ` : status === 'DELETED' ? `${t('deleted')} ` : ''}
      {additions === null || deletions === null ? (
        t('binary')
      ) : (
        <>
          <span className="text-good">+{additions}</span> <span className="text-bad">−{deletions}</span>
        </>
      )}
    </span>
  )
}

/** Where it can be run, or is a link, in one of them alone. */
export function Modes({ file: { here_mode: here, there_mode: there } }: { file: ComparedFile }) {
  if (here === null || there === null || here === there) return null
  return <span className="text-soft">{t('modeDiffers', { here: modeWord(here), there: modeWord(there) })}</span>
}

/** Of a mode as git writes it. */
function modeWord(mode: string): string {
  if (mode === '100755') return t('modeProgram')
  if (mode === '120000') return t('modeLink')
  return mode === '160000' ? t('modeSubmodule') : t('modeFile')
}
