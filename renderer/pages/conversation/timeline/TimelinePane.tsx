import { ArrowDown, MessageSquare, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import type { VirtuosoHandle } from 'react-virtuoso'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { isError, lastOwnMessage, nextError } from './jumps.ts'
import { Timeline } from './Timeline.tsx'

/** The timeline with its ways to jump: to the latest, the next error, my last message. */
export function TimelinePane() {
  const { snapshot, status } = useOpenConversation()
  const { items } = snapshot.conversation
  const list = useRef<VirtuosoHandle>(null)
  const lastError = useRef(-1)
  const [atBottom, setAtBottom] = useState(true)

  const toLatest = () => list.current?.scrollToIndex({ index: 'LAST', align: 'end' })
  const toOwnMessage = () => show(lastOwnMessage(items))
  function toNextError() {
    lastError.current = nextError(items, lastError.current)
    show(lastError.current)
  }
  function show(index: number) {
    if (index >= 0) list.current?.scrollToIndex({ index, align: 'start', offset: -16 })
  }

  useShortcuts({ 'Alt+ArrowDown': toLatest, 'Alt+ArrowUp': toOwnMessage, F8: toNextError })

  if (items.length === 0 && status !== 'running')
    return (
      <EmptyState title="Nothing has happened yet">
        Write to the agent below. It works in a sandbox of its own.
      </EmptyState>
    )
  return (
    <div className="relative h-full">
      <Timeline listRef={list} onAtBottom={setAtBottom} />
      <div className="absolute right-4 bottom-2 flex items-center gap-1 rounded-md border border-line bg-raised p-0.5">
        {items.some(isError) && (
          <IconButton
            size="small"
            label="Next error"
            shortcut="F8"
            icon={<TriangleAlert size={13} aria-hidden />}
            onClick={toNextError}
          />
        )}
        <IconButton
          size="small"
          label="My last message"
          shortcut="Alt+↑"
          icon={<MessageSquare size={13} aria-hidden />}
          onClick={toOwnMessage}
        />
        {!atBottom && (
          <Button size="small" look="quiet" icon={<ArrowDown size={13} aria-hidden />} onClick={toLatest}>
            Latest
          </Button>
        )}
      </div>
    </div>
  )
}
