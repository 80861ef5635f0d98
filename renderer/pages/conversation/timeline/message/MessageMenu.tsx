import { CopyPlus, CornerUpLeft, Ellipsis, GitFork, Pencil, Split } from 'lucide-react'
import { eventBefore } from '../../../../state/conversation/branch.ts'
import type { MessageItem } from '../../../../state/conversation/item.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { Menu, MenuHint, MenuItem } from '../../../../ui/overlay/Menu.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation, useSnapshot } from '../../context.ts'
import { useFork, useForkInOwnSandbox } from '../../use-fork.ts'
import { useGoTo } from '../back/use-go-to.ts'
import { t } from '../text.ts'

/** From a message: a new conversation that begins with everything up to it, or this one from there again. */
export function MessageMenu({ item, eventId }: ItemsProps) {
  return (
    <Menu trigger={<IconButton size="small" label={t('moreActions')} icon={<Ellipsis size={13} aria-hidden />} />}>
      <MessageItems item={item} eventId={eventId} />
    </Menu>
  )
}

interface ItemsProps {
  item: MessageItem
  eventId: string
}

/** Where a message leads. Drawn with the open menu alone, as there are many messages. */
export function MessageItems({ item, eventId }: ItemsProps) {
  const { info, status, ask } = useOpenConversation()
  const fork = useFork()
  const forkInOwnSandbox = useForkInOwnSandbox()
  const goTo = useGoTo()
  const { branchReason } = runRules(status, info)
  return (
    <>
      <MenuItem icon={<GitFork size={13} aria-hidden />} onSelect={() => fork.mutate(eventId)}>
        {t('forkFromHere')}
        <MenuHint>{t('newConversationInSameSandbox')}</MenuHint>
      </MenuItem>
      <MenuItem icon={<CopyPlus size={13} aria-hidden />} onSelect={() => forkInOwnSandbox(eventId)}>
        {t('forkInOwnSandbox')}
        <MenuHint>{t('newConversationInCopiedSandbox')}</MenuHint>
      </MenuItem>
      <MenuItem icon={<Split size={13} aria-hidden />} onSelect={() => ask({ attemptsFrom: eventId })}>
        {t('trySeveralTimes')}
        <MenuHint>{t('severalAttemptsFromHere')}</MenuHint>
      </MenuItem>
      {item.author === 'user' && <EditAgain item={item} eventId={eventId} />}
      <MenuItem
        icon={<CornerUpLeft size={13} aria-hidden />}
        disabledReason={branchReason}
        onSelect={() => goTo.mutate(eventId)}
      >
        {t('goBackToHere')}
        <MenuHint>{t('laterStepsAreSetAside')}</MenuHint>
      </MenuItem>
    </>
  )
}

/** It looks through the events. */
function EditAgain({ item, eventId }: ItemsProps) {
  const { info, status, edit } = useOpenConversation()
  const goTo = useGoTo()
  const before = useSnapshot(({ conversation }) => eventBefore(conversation.events, eventId))
  if (before === undefined) return null
  return (
    <MenuItem
      icon={<Pencil size={13} aria-hidden />}
      disabledReason={runRules(status, info).branchReason}
      onSelect={() => {
        edit(item)
        goTo.mutate(before)
      }}
    >
      {t('editAndSendAgain')}
      <MenuHint>{t('goesBackToBefore')}</MenuHint>
    </MenuItem>
  )
}
