import { NotebookPen, ShieldQuestion } from 'lucide-react'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import { CONFIRMATION_CHOICES, CONFIRMATION_WORDS } from '../../state/conversation/confirmation-choice.ts'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { Select } from '../../ui/field/Select.tsx'
import { Chip } from './Chip.tsx'
import { t } from './text.ts'

export interface ModeChipsProps {
  draft: LaunchDraft
  settings: SettingsReply | null
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** How the agent goes about it: with a plan first, and whether it asks before it acts. */
export function ModeChips({ draft, settings, onChange }: ModeChipsProps) {
  return (
    <>
      <PlanChip on={draft.plan} onChange={plan => onChange({ plan })} />
      <ConfirmationChip
        value={draft.confirmation}
        settings={settings}
        onChange={confirmation => onChange({ confirmation })}
      />
    </>
  )
}

/** A press is all it takes, so it is a switch and opens nothing. */
function PlanChip({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const look = on ? 'border-accent bg-accent-wash text-ink' : 'border-line text-faint'
  return (
    <button
      type="button"
      aria-pressed={on}
      title={t('agentReadsAndWritesPlan')}
      onClick={() => onChange(!on)}
      className={`inline-flex h-6.5 items-center gap-1.5 rounded-md border px-2 text-sm hover:bg-hover ${look}`}
    >
      <NotebookPen size={13} aria-hidden className="shrink-0" />
      {t('planFirst')}
    </button>
  )
}

interface ConfirmationChipProps {
  value: LaunchDraft['confirmation']
  settings: SettingsReply | null
  onChange: (value: LaunchDraft['confirmation']) => void
}

function ConfirmationChip({ value, settings, onChange }: ConfirmationChipProps) {
  const usual = usualWords(settings)
  const options = [
    { value: '' as const, label: t('asInSettings'), hint: usual },
    ...CONFIRMATION_CHOICES.map(choice => ({ value: choice, ...CONFIRMATION_WORDS[choice] })),
  ]
  return (
    <Chip
      icon={ShieldQuestion}
      name={t('confirmation')}
      value={value === '' ? null : CONFIRMATION_WORDS[value].label}
      empty={usual}
    >
      <p className="text-faint text-sm">{t('whenAgentAsksForApproval')}</p>
      <Select aria-label={t('whenAgentAsks')} value={value} options={options} onValueChange={onChange} />
    </Chip>
  )
}

/** What holds when nothing is chosen. */
function usualWords(settings: SettingsReply | null): string {
  if (!settings?.confirmation_mode) return CONFIRMATION_WORDS.never.label
  return CONFIRMATION_WORDS[settings.security_analyzer ? 'risky' : 'always'].label
}
