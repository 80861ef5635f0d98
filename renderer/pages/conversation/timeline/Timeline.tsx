import { memo, type RefObject, useMemo, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { Conversation } from '../../../state/conversation/conversation.ts'
import type { Item } from '../../../state/conversation/item.ts'
import { waitOf } from '../../../state/conversation/model-wait.ts'
import { type RunPhase, runRules } from '../composer/run-rules.ts'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { AnswerRow, type Live } from './AnswerRow.tsx'
import { AT_BOTTOM_PX } from './following.ts'
import { isAnswer, RowKeys } from './row-keys.ts'
import { TimelineRow } from './TimelineRow.tsx'
import { TimelineTop } from './TimelineTop.tsx'
import { t } from './text.ts'
import type { Following } from './use-following.ts'

/** Where the oldest row that was there first stands; older rows count down from it, so that the list keeps its place. */
const FIRST_INDEX = 1_000_000
const AHEAD = { top: 800, bottom: 400 }

type Row = Item | 'live'
interface Context {
  conversation: Conversation
  keys: RowKeys
  live: Live
  phase: RunPhase
  /** The newest thing that happened; notes only say in what state it left the run. */
  last: Item | undefined
  flash: Flash | null
}

/** A row that a jump went to. */
export interface Flash {
  readonly key: string
  readonly number: number
}

export interface TimelineProps {
  listRef: RefObject<VirtuosoHandle | null>
  following: Following
  flash: Flash | null
  onAtBottom: (atBottom: boolean) => void
}

/** The column of everything that happened. Only what is near the window is in the page. */
export function Timeline({ listRef, following, flash, onAtBottom }: TimelineProps) {
  const { feed, info, status } = useOpenConversation()
  const conversation = useSnapshot(snapshot => snapshot.conversation)
  const { phase } = runRules(status, info)
  const working = phase === 'working'
  const { items } = conversation
  const [keys] = useState(() => new RowKeys())
  const rows = useMemo<Row[]>(() => {
    keys.update(items)
    return working ? [...items, 'live'] : [...items]
  }, [keys, items, working])
  const [anchorSeq] = useState(() => items[0]?.seq ?? 0)
  const firstItemIndex = FIRST_INDEX - rowsBefore(items, anchorSeq)
  const context = useMemo<Context>(
    () => ({
      conversation,
      keys,
      live: { wait: waitOf(conversation), quiet: items.some(isRunning), awaited: awaitedBy(items.at(-1)) },
      phase,
      last: items.findLast(item => item.kind !== 'note'),
      flash,
    }),
    [conversation, keys, phase, items, flash],
  )
  const { setScroller, follow, isFollowing } = following
  return (
    <Virtuoso<Row, Context>
      ref={listRef}
      className="isolate h-full @[840px]:[scrollbar-gutter:stable_both-edges]"
      tabIndex={0}
      role="region"
      aria-label={t('conversation')}
      data={rows}
      context={context}
      firstItemIndex={firstItemIndex}
      initialTopMostItemIndex={{ index: 'LAST', align: 'end' }}
      increaseViewportBy={AHEAD}
      computeItemKey={rowKey}
      itemContent={renderRow}
      components={PARTS}
      scrollerRef={setScroller}
      followOutput={() => (isFollowing() ? 'auto' : false)}
      {...(working && { totalListHeightChanged: follow })}
      atBottomThreshold={AT_BOTTOM_PX}
      atBottomStateChange={onAtBottom}
      startReached={() => void feed.loadOlder()}
    />
  )
}

function rowsBefore(items: readonly Item[], anchorSeq: number): number {
  const index = items.findIndex(item => lastSeqOf(item) >= anchorSeq)
  return Math.max(0, index)
}

function lastSeqOf(item: Item): number {
  return item.kind === 'reads' ? (item.actions.at(-1)?.seq ?? item.seq) : item.seq
}

function awaitedBy(last: Item | undefined): 'model' | 'engine' {
  return last?.kind === 'note' && last.note === 'engine_away' ? 'engine' : 'model'
}

function rowKey(_index: number, row: Row, { keys }: Context): string {
  return row === 'live' ? keys.live() : keys.of(row)
}

function renderRow(_index: number, row: Row, context: Context) {
  return <RowPlace row={row} context={context} />
}

/** The list renders all of its rows whenever it scrolls; one that is the same costs a comparison. */
const RowPlace = memo(function RowPlace({ row, context }: { row: Row; context: Context }) {
  const { conversation, keys, live, phase, last, flash } = context
  const isLive = row === 'live'
  const isFlashed = !isLive && flash?.key === row.key
  return (
    <div className={`mx-auto max-w-190 px-6 ${isFlashed ? 'relative isolate' : ''}`}>
      {isFlashed && <FlashMark key={flash.number} />}
      {isLive || isAnswer(row) ? (
        <AnswerRow item={isLive ? null : row} live={isLive ? live : null} keys={keys} />
      ) : (
        <TimelineRow
          item={row}
          phase={phase}
          last={row === last}
          tail={row.kind === 'action' ? conversation.tails[row.event.tool_call_id] : undefined}
        />
      )}
    </div>
  )
})

/** Behind the row, and at its side for as long as it is the one that was gone to. */
function FlashMark() {
  return (
    <span
      data-testid="flash"
      className="pointer-events-none absolute inset-x-3 inset-y-0 -z-10 animate-flash rounded-sm border-accent border-s-2"
    />
  )
}

function isRunning(item: Item): boolean {
  return item.kind === 'action' && item.outcome.state === 'running'
}

const PARTS = { Header: TimelineTop, Footer: () => <div className="h-3" /> }
