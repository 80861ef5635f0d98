import { FolderGit2 } from 'lucide-react'
import { repositoryName } from '../../../state/format.ts'
import { Chip } from '../Chip.tsx'
import { t } from '../text.ts'
import { BranchChip } from './BranchChip.tsx'
import { RepositoryField, type RepositoryFieldProps } from './RepositoryField.tsx'

/** A repository of a provider or at an address, and its branch once there is one. */
export function RepositoryChip({ draft, problem, connected, onChange }: RepositoryFieldProps) {
  const repository = draft.repository.trim()
  return (
    <>
      <Chip
        icon={FolderGit2}
        name={t('repository')}
        value={repository ? repositoryName(repository) : null}
        empty={t('noRepository')}
        problem={problem}
      >
        <RepositoryField draft={draft} problem={problem} connected={connected} onChange={onChange} />
      </Chip>
      {repository && !problem ? <BranchChip draft={draft} connected={connected} onChange={onChange} /> : null}
    </>
  )
}
