import { useQuery } from '@tanstack/react-query'
import { Box } from 'lucide-react'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import { specsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { SpecChoice } from '../../components/SpecChoice.tsx'
import { type LaunchDraft, type LaunchProblems, withoutDevContainer } from '../../state/launch/launch.ts'
import { connectedProviders } from '../../state/settings/provider-tokens.ts'
import { AttemptsChip } from './AttemptsChip.tsx'
import { Chip } from './Chip.tsx'
import { DevContainerChip } from './DevContainerChip.tsx'
import { FolderChip } from './FolderChip.tsx'
import { ModeChip } from './ModeChip.tsx'
import { ModelChip } from './ModelChip.tsx'
import { NetworkChip } from './NetworkChip.tsx'
import { RepositoryChip } from './repository/RepositoryChip.tsx'
import { t } from './text.ts'

export interface LaunchChipsProps {
  draft: LaunchDraft
  problems: LaunchProblems
  settings: SettingsReply | null
  onChange: (fields: Partial<LaunchDraft>) => void
}

export function LaunchChips({ draft, problems, settings, onChange: onFields }: LaunchChipsProps) {
  const onChange = (fields: Partial<LaunchDraft>) => onFields(withoutDevContainer(fields))
  const { repository, folder } = draft
  const connected = connectedProviders(settings)
  return (
    <>
      {repository.trim() ? null : <FolderChip draft={draft} problem={problems.folder} onChange={onChange} />}
      {folder.trim() ? null : (
        <RepositoryChip draft={draft} problem={problems.repository} connected={connected} onChange={onChange} />
      )}
      {repository.trim() || folder.trim() ? <DevContainerChip draft={draft} onChange={onFields} /> : null}
      {draft.devContainer ? null : <SpecChip spec={draft.spec} onChange={spec => onChange({ spec })} />}
      <NetworkChip draft={draft} onChange={onChange} />
      <ModelChip draft={draft} fromSettings={settings?.llm_model ?? null} onChange={onChange} />
      <AttemptsChip draft={draft} fromSettings={settings?.llm_model ?? null} onChange={onChange} />
      <ModeChip draft={draft} problems={problems} settings={settings} onChange={onChange} />
    </>
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
