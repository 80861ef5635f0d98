import { CornerUpLeft, Ellipsis, GitFork } from 'lucide-react'
import { IconButton } from '../../../../ui/Button.tsx'
import { Menu, MenuHint, MenuItem } from '../../../../ui/overlay/Menu.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation } from '../../context.ts'
import { useFork } from '../../use-fork.ts'
import { useGoTo } from '../back/use-go-to.ts'
import { t } from '../text.ts'

/** From a message: a new conversation that begins with everything up to it, or this one from there again. */
export function MessageMenu({ eventId }: { eventId: string }) {
  const { info, status } = useOpenConversation()
  const fork = useFork()
  const goTo = useGoTo()
  const { branchReason } = runRules(status, info)
  return (
    <Menu trigger={<IconButton size="small" label={t('moreActions')} icon={<Ellipsis size={13} aria-hidden />} />}>
      <MenuItem icon={<GitFork size={13} aria-hidden />} onSelect={() => fork.mutate(eventId)}>
        {t('forkFromHere')}
        <MenuHint>{t('newConversationInSameSandbox')}</MenuHint>
      </MenuItem>
      <MenuItem
        icon={<CornerUpLeft size={13} aria-hidden />}
        disabledReason={branchReason}
        onSelect={() => goTo.mutate(eventId)}
      >
        {t('goBackToHere')}
        <MenuHint>{t('laterStepsAreSetAside')}</MenuHint>
      </MenuItem>
    </Menu>
  )
}
