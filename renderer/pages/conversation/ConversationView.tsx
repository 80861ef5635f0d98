import { type KeyboardEvent, useState } from 'react'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { statusOf } from '../../state/conversation/conversation.ts'
import type { ConversationFeed, FeedSnapshot } from '../../state/conversation/feed.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { foot } from '../../ui/overlay/foot.ts'
import { BuildPlan } from './BuildPlan.tsx'
import { ConnectionLine } from './ConnectionLine.tsx'
import { Composer } from './composer/Composer.tsx'
import { usePause } from './composer/use-pause.ts'
import { Confirmation } from './confirmation/ConfirmationCard.tsx'
import { ConversationContext, type ConversationDialog, type OpenConversation } from './context.ts'
import { ConversationHeader } from './header/ConversationHeader.tsx'
import { ApplyDialog } from './panel/apply/ApplyDialog.tsx'
import { GitDialog, isGitDialog } from './panel/git/GitDialog.tsx'
import { ReviewDialog } from './panel/review/ReviewDialog.tsx'
import { SidePanel } from './panel/SidePanel.tsx'
import { SandboxNotice } from './SandboxNotice.tsx'
import { SplitView } from './SplitView.tsx'
import { GoBackDialog } from './timeline/back/GoBackDialog.tsx'
import { TimelinePane } from './timeline/TimelinePane.tsx'
import { RepositoryTrust } from './trust/RepositoryTrust.tsx'
import { usePanel } from './use-panel.ts'

export interface ConversationViewProps {
  info: AppConversation
  feed: ConversationFeed
  snapshot: FeedSnapshot
}

export function ConversationView({ info, feed, snapshot }: ConversationViewProps) {
  const { id } = info
  const status = statusOf(snapshot.conversation) ?? info.execution_status ?? 'idle'
  const { pause, pausing } = usePause(id, status, snapshot.conversation)
  const [sent, setSent] = useState(0)
  const countSent = () => setSent(count => count + 1)
  const [dialog, setDialog] = useState<ConversationDialog | null>(null)
  useShortcuts({ 'Mod+Shift+d': () => setDialog('review') })
  const open: OpenConversation = {
    id,
    info,
    status,
    feed,
    snapshot,
    pause,
    pausing,
    sent,
    countSent,
    ask: setDialog,
  }
  const panel = usePanel()
  const closeDialog = () => setDialog(null)

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
        <SplitView panel={panel} side={<SidePanel onClose={panel.toggle} />}>
          <div className="flex h-full min-w-0 flex-col">
            <div className="min-h-0 flex-1">
              <TimelinePane />
            </div>
            <div ref={foot} className="mx-auto flex w-full max-w-190 flex-col gap-2 px-6 pb-4">
              <ConnectionLine />
              <SandboxNotice />
              <RepositoryTrust />
              <BuildPlan />
              <Confirmation />
              <Composer />
            </div>
          </div>
        </SplitView>
      </div>
      {dialog === 'apply' && <ApplyDialog onClose={closeDialog} />}
      {dialog === 'review' && <ReviewDialog onClose={closeDialog} />}
      {dialog !== null && typeof dialog === 'object' && <GoBackDialog goal={dialog} onClose={closeDialog} />}
      {isGitDialog(dialog) && <GitDialog asked={dialog} onClose={closeDialog} />}
    </ConversationContext>
  )
}
