import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ConversationFeed } from '../../state/conversation/feed.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { foot } from '../../ui/overlay/foot.ts'
import { BuildPlan } from './BuildPlan.tsx'
import { ConnectionLine } from './ConnectionLine.tsx'
import { ConversationDialogs } from './ConversationDialogs.tsx'
import { Composer } from './composer/Composer.tsx'
import { MessageQueue } from './composer/queue/MessageQueue.tsx'
import { usePause } from './composer/use-pause.ts'
import { Confirmation } from './confirmation/ConfirmationCard.tsx'
import { ConversationContext, type ConversationInfo, type OpenConversation } from './context.ts'
import { FindInConversation } from './find/FindInConversation.tsx'
import { ConversationHeader } from './header/ConversationHeader.tsx'
import { RefusalNotices } from './network/RefusalNotices.tsx'
import { PortNotices } from './panel/preview/PortNotices.tsx'
import { usePreview } from './panel/preview/use-preview.ts'
import { SidePanel } from './panel/SidePanel.tsx'
import { SandboxNotice } from './SandboxNotice.tsx'
import { SplitView } from './SplitView.tsx'
import { TimelinePane } from './timeline/TimelinePane.tsx'
import { RepositoryTrust } from './trust/RepositoryTrust.tsx'
import { type JumpTarget, useJump } from './use-jump.ts'
import { usePanel } from './use-panel.ts'
import { useStatus } from './use-status.ts'

export interface ConversationViewProps {
  info: ConversationInfo
  feed: ConversationFeed
  /** The event that the address names. */
  asked: JumpTarget | null
  /** The tab that the address names. */
  tab: string | undefined
}

export function ConversationView({ info, feed, asked, tab: askedTab }: ConversationViewProps) {
  const { id } = info
  const navigate = useNavigate()
  const jumps = useJump(feed, asked, () => void navigate({ to: '.', search: {}, replace: true }))
  const status = useStatus(id, feed)
  const { pause, pausing } = usePause(id, status, feed)
  const [sent, setSent] = useState(0)
  const countSent = () => setSent(count => count + 1)
  const panel = usePanel()
  const [tab, setTab] = usePreference('conversation.tab', 'changes')
  const showTab = (name: string) => {
    setTab(name)
    panel.show()
  }
  const showAsked = useEffectEvent((name: string) => {
    showTab(name)
    // Another one may be chosen, and is not undone by a reload.
    void navigate({ to: '.', search: {}, replace: true })
  })
  useEffect(() => {
    if (askedTab) showAsked(askedTab)
  }, [askedTab])
  const preview = usePreview(id, () => showTab('preview'))
  const dialogs = useRef<Pick<OpenConversation, 'ask' | 'askLate'>>(null)
  const composer = useRef<Pick<OpenConversation, 'edit'>>(null)
  const open: OpenConversation = {
    id,
    info,
    status,
    feed,
    pause,
    pausing,
    ...jumps,
    sent,
    countSent,
    ask: dialog => dialogs.current?.ask(dialog),
    askLate: dialog => dialogs.current?.askLate(dialog),
    edit: message => composer.current?.edit(message),
    preview,
    showTab,
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Menus and dialogs lie outside of the page's element; their Esc closes them.
    const inPage = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key === 'Escape' && inPage && !event.nativeEvent.isComposing) pause()
  }

  return (
    <ConversationContext value={open}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Esc pauses wherever the focus is on the page */}
      <div tabIndex={-1} onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col outline-none">
        <ConversationHeader panelOpen={panel.open} onTogglePanel={panel.toggle} />
        <SplitView
          panel={panel}
          side={<SidePanel tab={panel.open || panel.asSheet ? tab : null} onTab={setTab} onClose={panel.toggle} />}
        >
          {/* Cards leave the timeline some room, and where the window has none this scrolls. */}
          <div className="flex h-full min-w-0 flex-col overflow-y-auto">
            <div className="relative min-h-28 flex-1">
              <FindInConversation />
              <TimelinePane />
            </div>
            <div ref={foot} className="mx-auto flex w-full max-w-190 shrink-0 flex-col gap-2 px-6 pb-4">
              <ConnectionLine />
              <SandboxNotice />
              <RepositoryTrust />
              <BuildPlan />
              <Confirmation />
              <MessageQueue />
              <Composer ref={composer} />
            </div>
          </div>
        </SplitView>
      </div>
      <ConversationDialogs ref={dialogs} />
      <RefusalNotices key={id} />
      <PortNotices shownTab={panel.open ? tab : null} />
    </ConversationContext>
  )
}
