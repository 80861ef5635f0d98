import { useRef, useState } from 'react'
import { useMedia } from '../../../../state/media.ts'
import { usePreference } from '../../../../state/settings/preference.ts'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../../../ui/ErrorNotice.tsx'
import { FullDialog } from '../../../../ui/overlay/FullDialog.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { actOnKey, focusHunk } from '../diff-keys.ts'
import { Outdated } from '../Outdated.tsx'
import { ComparedContent } from './ComparedContent.tsx'
import { ComparedList } from './ComparedList.tsx'
import { ComparisonToolbar } from './ComparisonToolbar.tsx'
import { TakeDialog } from './TakeDialog.tsx'
import { t } from './text.ts'
import { type Comparing, type Pair, useComparison } from './use-comparison.ts'
import { useSides } from './use-sides.ts'

/** Two lines of code beside each other need it. */
const WIDE = '(min-width: 901px)'

/** The files of two conversations side by side, in the whole window. */
export function ComparisonDialog({ first, onClose }: { first: Pair; onClose: () => void }) {
  const comparing = useComparison(first)
  const [layout, setLayout] = usePreference('comparison.layout', 'split')
  const [isTaking, setTaking] = useState(false)
  const wide = useMedia(WIDE)
  const main = useRef<HTMLElement>(null)
  const isSplit = wide && layout === 'split'
  const keys: Record<string, () => void> = {
    j: () => comparing.step(1),
    k: () => comparing.step(-1),
    n: () => focusHunk(main.current, 1),
    p: () => focusHunk(main.current, -1),
    s: () => setLayout(layout === 'split' ? 'unified' : 'split'),
  }
  return (
    <FullDialog
      title={t('compare')}
      onClose={onClose}
      onKeyDown={event => isTaking || actOnKey(event, keys)}
      toolbar={
        <ComparisonToolbar
          comparing={comparing}
          isSplit={wide ? isSplit : null}
          onSplit={split => setLayout(split ? 'split' : 'unified')}
          onTake={() => setTaking(true)}
        />
      }
    >
      <Working comparing={comparing} />
      <Outdated list={comparing.list} />
      <div className="flex min-h-0 flex-1 flex-col narrow:flex-row">
        <Body comparing={comparing} isSplit={isSplit} main={main} />
      </div>
      {isTaking && comparing.list.data ? (
        <TakeDialog comparing={comparing} comparison={comparing.list.data} onClose={() => setTaking(false)} />
      ) : null}
    </FullDialog>
  )
}

function Working({ comparing: { working, pair } }: { comparing: Comparing }) {
  const sides = useSides()
  if (working.length === 0) return null
  const names = working.map(
    id => `${id === pair[0] ? 'A' : 'B'} (${sides.find(({ value }) => value === id)?.label ?? id})`,
  )
  return (
    <div className="px-4 py-3">
      <Notice tone="wait" what={t('stillWorks', { names: names.join(', ') })} meaning={t('filesOfLastStep')} />
    </div>
  )
}

interface BodyProps {
  comparing: Comparing
  isSplit: boolean
  main: React.RefObject<HTMLElement | null>
}

function Body({ comparing, isSplit, main }: BodyProps) {
  const { list, files, file, pair } = comparing
  if (pair[0] === pair[1])
    return (
      <div className="w-full">
        <EmptyState title={t('sameConversation')}>{t('chooseAnother')}</EmptyState>
      </div>
    )
  if (list.error && !list.data)
    return (
      <div className="w-full p-4">
        <ErrorNotice error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </div>
    )
  if (!list.data) return <Skeleton label={t('comparing')} lines={6} className="w-full p-4" />
  if (files.length === 0)
    return (
      <div className="w-full">
        <EmptyState title={t('noDifference')}>{t('whatIsNotCompared')}</EmptyState>
      </div>
    )
  return (
    <>
      <ComparedList comparing={comparing} comparison={list.data} />
      <main ref={main} aria-label={t('comparedFile')} className="min-h-0 min-w-0 flex-1 overflow-auto">
        {file && <ComparedContent key={file.path} comparing={comparing} file={file} isSplit={isSplit} />}
      </main>
    </>
  )
}
