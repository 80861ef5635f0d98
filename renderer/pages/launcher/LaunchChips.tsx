import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Box, Cpu, FolderGit2, Gauge, GitBranch } from 'lucide-react'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import { conversationListQuery, specsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { useModelSuggestions } from '../../components/model/ModelField.tsx'
import { SpecChoice } from '../../components/SpecChoice.tsx'
import { repositoryName } from '../../state/format.ts'
import type { LaunchDraft, LaunchProblems } from '../../state/launch/launch.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { Suggest } from '../../ui/field/Suggest.tsx'
import { Chip } from './Chip.tsx'
import { FolderChip } from './FolderChip.tsx'
import { ModeChips } from './ModeChips.tsx'
import { t } from './text.ts'

export interface LaunchChipsProps {
  draft: LaunchDraft
  problems: LaunchProblems
  settings: SettingsReply | null
  onChange: (fields: Partial<LaunchDraft>) => void
}

export function LaunchChips({ draft, problems, settings, onChange }: LaunchChipsProps) {
  const { repository, branch, folder } = draft
  return (
    <>
      {repository.trim() ? null : <FolderChip draft={draft} problem={problems.folder} onChange={onChange} />}
      {folder.trim() ? null : (
        <Chip
          icon={FolderGit2}
          name={t('repository')}
          value={repository.trim() ? repositoryName(repository.trim()) : null}
          empty={t('noRepository')}
          problem={problems.repository}
        >
          <RepositoryField
            value={repository}
            problem={problems.repository}
            onChange={value => onChange({ repository: value })}
          />
        </Chip>
      )}
      {repository.trim() ? (
        <Chip icon={GitBranch} name={t('branch')} value={branch.trim() || null} empty={t('defaultBranch')}>
          <Field label={t('branch')} hint={t('emptyRepositorysDefaultBranch')}>
            <Input value={branch} onValueChange={value => onChange({ branch: value })} placeholder="main" mono />
          </Field>
        </Chip>
      ) : null}
      <SpecChip spec={draft.spec} onChange={spec => onChange({ spec })} />
      <ModelChip
        model={draft.model}
        fromSettings={settings?.llm_model ?? null}
        onChange={model => onChange({ model })}
      />
      <LimitsChip draft={draft} problems={problems} settings={settings} onChange={onChange} />
      <ModeChips draft={draft} settings={settings} onChange={onChange} />
    </>
  )
}

interface RepositoryFieldProps {
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

function RepositoryField({ value, problem, onChange }: RepositoryFieldProps) {
  const { data } = useInfiniteQuery(conversationListQuery(useClient(), ''))
  const used = data?.pages.flatMap(page => page.items.map(({ selected_repository }) => selected_repository)) ?? []
  const suggestions = [...new Set(used)].flatMap(name => (name ? [{ value: name }] : []))
  return (
    <Field label={t('repository')} hint={t('gitAddress')} error={problem}>
      <Suggest value={value} onValueChange={onChange} suggestions={suggestions} placeholder={t('ownerName')} mono />
    </Field>
  )
}

function SpecChip({ spec, onChange }: { spec: string; onChange: (spec: string) => void }) {
  const { data: specs = [] } = useQuery(specsQuery(useClient()))
  const chosen = specs.find(({ id }) => id === spec)
  return (
    <Chip icon={Box} name={t('sandbox')} value={chosen?.title ?? null} empty={specs[0]?.title ?? t('defaultSandbox')}>
      <SpecChoice specs={specs} value={spec || (specs[0]?.id ?? '')} onChange={onChange} />
    </Chip>
  )
}

interface ModelChipProps {
  model: string
  fromSettings: string | null
  onChange: (model: string) => void
}

function ModelChip({ model, fromSettings, onChange }: ModelChipProps) {
  const suggestions = useModelSuggestions()
  return (
    <Chip icon={Cpu} name={t('model')} value={model.trim() || null} empty={fromSettings ?? t('noModel')}>
      <Field label={t('model')} hint={fromSettings ? t('emptyAsInSettings', { fromSettings }) : 'provider/model'}>
        <Suggest
          value={model}
          onValueChange={onChange}
          suggestions={suggestions}
          placeholder={fromSettings ?? 'provider/model'}
          mono
        />
      </Field>
    </Chip>
  )
}

function LimitsChip({ draft, problems, settings, onChange }: LaunchChipsProps) {
  const { steps, budget } = draft
  const value = [steps.trim() && t('stepLimit', { steps: steps.trim() }), budget.trim() && `$${budget.trim()}`]
    .filter(Boolean)
    .join(' · ')
  const problem = problems.steps ?? problems.budget
  const defaultBudget = settings?.max_budget_per_task
  return (
    <Chip icon={Gauge} name={t('limits')} value={value || null} empty={t('defaultLimits')} problem={problem}>
      <p className="text-sm text-faint">{t('atLimitAgentPauses')}</p>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('steps')} error={problems.steps}>
          <Input
            inputMode="numeric"
            value={steps}
            onValueChange={value => onChange({ steps: value })}
            placeholder={String(settings?.max_iterations ?? 500)}
          />
        </Field>
        <Field label={t('budgetUsd')} error={problems.budget}>
          <Input
            inputMode="decimal"
            value={budget}
            onValueChange={value => onChange({ budget: value })}
            placeholder={defaultBudget ? String(defaultBudget) : t('none')}
          />
        </Field>
      </div>
    </Chip>
  )
}
