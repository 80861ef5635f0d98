import { ArrowDown, MessageSquare, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/Button.tsx'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { useShowPort } from '../link/use-open-port.ts'
import { useSandbox } from '../use-sandbox.ts'
import { followSent, isError, lastOwnMessage, nextError } from './jumps.ts'
import { FoldsContext, useFolds } from './line/folds.ts'
import { OpenPort } from './message/AgentLink.tsx'
import { NothingYet } from './NothingYet.tsx'
import { Timeline } from './Timeline.tsx'
import { TimelineMenu } from './TimelineMenu.tsx'
import { t } from './text.ts'
import { useFollowing } from './use-following.ts'
import { useShownJump } from './use-shown-jump.ts'

/** The timeline with its ways to jump: to the latest, the next error, my last message. */
export function TimelinePane() {
  const { status, sent, jump } = useOpenConversation()
  const items = useSnapshot(({ conversation }) => conversation.items)
  const sandbox = useSandbox()
  const openPort = useShowPort()
  const list = useRef<VirtuosoHandle>(null)
  const pane = useRef<HTMLDivElement>(null)
  /** The error that the last jump went to; null once the person has moved on from there. */
  const lastError = useRef<number | null>(null)
  const [atBottom, setAtBottom] = useState(true)
  const following = useFollowing()
  const folds = useFolds()
  const { flash, clearFlash } = useShownJump({ jump, items, folds, following, list, pane })

  const toLatest = () => {
    forgetJump()
    list.current?.scrollToIndex({ index: 'LAST', align: 'end' })
  }
  const toOwnMessage = () => {
    forgetJump()
    show(lastOwnMessage(items))
  }
  function toNextError() {
    const next = nextError(items, lastError.current ?? topRow(pane.current) - 1)
    show(next)
    lastError.current = next
  }
  const forgetJump = () => {
    lastError.current = null
    clearFlash()
  }
  function show(index: number) {
    if (index >= 0) list.current?.scrollToIndex({ index, align: 'start', offset: -JUMP_OFFSET })
  }

  const newest = items[lastOwnMessage(items)]?.key
  const messages = useRef({ sent, newest, awaited: false })
  useEffect(() => {
    const { awaited, show: isDue } = followSent(messages.current, { sent, newest })
    messages.current = { sent, newest, awaited }
    if (isDue) toLatest()
  })

  useShortcuts({ 'Alt+ArrowDown': toLatest, 'Alt+ArrowUp': toOwnMessage, F8: toNextError })

  if (items.length === 0 && status !== 'running') return <NothingYet />
  return (
    <div ref={pane} className="@container flex h-full flex-col">
      <TimelineMenu
        items={items}
        trigger={
          // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the person scrolls
          <div
            onWheel={forgetJump}
            onTouchMove={forgetJump}
            onPointerDown={forgetJump}
            onKeyDown={event => {
              if (SCROLL_KEYS.has(event.key)) forgetJump()
            }}
            className="min-h-0 flex-1"
          />
        }
      >
        <OpenPort value={sandbox.isUsable ? openPort : null}>
          <FoldsContext value={folds}>
            <Timeline listRef={list} following={following} flash={flash} onAtBottom={setAtBottom} />
          </FoldsContext>
        </OpenPort>
      </TimelineMenu>
      <div className="mx-auto flex w-full max-w-190 justify-end gap-1 px-6 pb-1">
        {items.some(isError) && (
          <Jump keys="F8" icon={<TriangleAlert size={13} aria-hidden />} onClick={toNextError}>
            {t('nextError')}
          </Jump>
        )}
        <Jump keys="Alt+↑" icon={<MessageSquare size={13} aria-hidden />} onClick={toOwnMessage}>
          {t('myLastMessage')}
        </Jump>
        {/* It keeps its place, so that the others stay in theirs. */}
        <Jump
          keys="Alt+↓"
          icon={<ArrowDown size={13} aria-hidden />}
          className={atBottom ? 'invisible' : ''}
          onClick={toLatest}
        >
          {t('latest')}
        </Jump>
      </div>
    </div>
  )
}

interface JumpProps {
  keys: string
  icon: ReactNode
  children: ReactNode
  className?: string
  onClick: () => void
}

function Jump({ keys, ...rest }: JumpProps) {
  return <Button size="small" look="quiet" title={keys} {...rest} />
}

const SCROLL_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '])

/** How far a row that was jumped to stands below the top. */
const JUMP_OFFSET = 16

/** The first row in sight, as its place in the list; the list itself only tells what it has rendered. */
function topRow(pane: HTMLElement | null): number {
  const top = (pane?.getBoundingClientRect().top ?? 0) + JUMP_OFFSET
  const rows = [...(pane?.querySelectorAll<HTMLElement>('[data-index]') ?? [])]
  const first = rows.find(row => row.getBoundingClientRect().bottom > top)
  return Number(first?.dataset.index ?? 0)
}
