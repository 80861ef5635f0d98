import { Check } from 'lucide-react'
import { CONFIRMATION_CHOICES, CONFIRMATION_WORDS } from '../../../state/conversation/confirmation-choice.ts'
import { ChoiceButton } from '../../../ui/overlay/ChoiceButton.tsx'
import { Menu, MenuHint, MenuItem } from '../../../ui/overlay/Menu.tsx'
import { useConfirmation } from '../confirmation/use-confirmation.ts'
import { t } from '../text.ts'

/** When the agent asks before it acts, where a message is written. */
export function ModeButton() {
  const { choice, choose } = useConfirmation()
  return (
    <Menu
      align="start"
      trigger={
        <ChoiceButton label={t('whenAgentAsks')}>
          <span className="truncate">{CONFIRMATION_WORDS[choice].label}</span>
        </ChoiceButton>
      }
    >
      {CONFIRMATION_CHOICES.map(one => (
        <MenuItem
          key={one}
          icon={<Check size={13} aria-hidden className={one === choice ? '' : 'invisible'} />}
          onSelect={() => choose(one)}
        >
          {CONFIRMATION_WORDS[one].label}
          {one === choice && <span className="sr-only"> {t('chosen')}</span>}
          <MenuHint>{CONFIRMATION_WORDS[one].hint}</MenuHint>
        </MenuItem>
      ))}
    </Menu>
  )
}
