import { SlidersHorizontal } from 'lucide-react'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import { CONFIRMATION_CHOICES, CONFIRMATION_WORDS } from '../../state/conversation/confirmation-choice.ts'
import type { LaunchDraft, LaunchProblems } from '../../state/launch/launch.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { Switch } from '../../ui/field/Switch.tsx'
import { Chip } from './Chip.tsx'
import { t } from './text.ts'

export interface ModeChipProps {
  draft: LaunchDraft
  problems: LaunchProblems
  settings: SettingsReply | null
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** How the agent goes about it: with a plan first, when it asks, and where it pauses. */
export function ModeChip({ draft, problems, settings, onChange }: ModeChipProps) {
  return (
    <Chip
      icon={SlidersHorizontal}
      name={t('mode')}
      value={chosenWords(draft)}
      empty={usualWords(settings)}
      problem={problems.steps ?? problems.budget}
    >
      <Field label={t('planFirst')} hint={t('agentReadsAndWritesPlan')}>
        <Switch checked={draft.plan} onCheckedChange={plan => onChange({ plan })} />
      </Field>
      <Confirmation draft={draft} settings={settings} onChange={onChange} />
      <Limits draft={draft} problems={problems} settings={settings} onChange={onChange} />
    </Chip>
  )
}

function Confirmation({ draft, settings, onChange }: Omit<ModeChipProps, 'problems'>) {
  const options = [
    { value: '' as const, label: t('asInSettings'), hint: usualWords(settings) },
    ...CONFIRMATION_CHOICES.map(choice => ({ value: choice, ...CONFIRMATION_WORDS[choice] })),
  ]
  return (
    <Field label={t('whenAgentAsks')} hint={t('changeWhileItWorks')}>
      <Select value={draft.confirmation} options={options} onValueChange={confirmation => onChange({ confirmation })} />
    </Field>
  )
}

function Limits({ draft, problems, settings, onChange }: ModeChipProps) {
  const defaultBudget = settings?.max_budget_per_task
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('steps')} error={problems.steps}>
          <Input
            inputMode="numeric"
            value={draft.steps}
            onValueChange={steps => onChange({ steps })}
            placeholder={String(settings?.max_iterations ?? 500)}
          />
        </Field>
        <Field label={t('budgetUsd')} error={problems.budget}>
          <Input
            inputMode="decimal"
            value={draft.budget}
            onValueChange={budget => onChange({ budget })}
            placeholder={defaultBudget ? String(defaultBudget) : t('none')}
          />
        </Field>
      </div>
      <p className="text-sm text-faint">{t('atLimitAgentPauses')}</p>
    </>
  )
}

/** What differs from the settings, as short as it can be said; null for nothing. */
function chosenWords({ plan, confirmation, steps, budget }: LaunchDraft): string | null {
  const words = [
    plan && t('planFirst'),
    confirmation && CONFIRMATION_WORDS[confirmation].label,
    steps.trim() && t('stepLimit', { steps: steps.trim() }),
    budget.trim() && `$${budget.trim()}`,
  ].filter(Boolean)
  return words.join(' · ') || null
}

/** What holds when nothing is chosen. */
function usualWords(settings: SettingsReply | null): string {
  if (!settings?.confirmation_mode) return CONFIRMATION_WORDS.never.label
  return CONFIRMATION_WORDS[settings.security_analyzer ? 'risky' : 'always'].label
}
