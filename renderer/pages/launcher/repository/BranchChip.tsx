import { useQuery } from '@tanstack/react-query'
import { GitBranch } from 'lucide-react'
import { gitBranchesQuery } from '../../../api/git-data.ts'
import { useClient } from '../../../api/session.ts'
import { isPath } from '../../../state/launch/repositories.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Suggest } from '../../../ui/field/Suggest.tsx'
import { Chip } from '../Chip.tsx'
import { t } from '../text.ts'
import type { RepositoryFieldProps } from './RepositoryField.tsx'

type BranchProps = Omit<RepositoryFieldProps, 'problem'>

export function BranchChip(props: BranchProps) {
  const branch = props.draft.branch.trim()
  return (
    <Chip icon={GitBranch} name={t('branch')} value={branch || null} empty={t('defaultBranch')}>
      <BranchField {...props} />
    </Chip>
  )
}

/** Offers the branches that the provider has; any other name is as good, and the only way for an address. */
function BranchField({ draft, connected, onChange }: BranchProps) {
  const repository = draft.repository.trim()
  const provider = draft.provider || 'github'
  const { data, error, isFetching } = useQuery({
    ...gitBranchesQuery(useClient(), { provider, repository, text: draft.branch.trim() }),
    enabled: isPath(repository) && connected.includes(provider),
  })
  const suggestions = data?.items.map(({ name }) => ({ value: name })) ?? []
  return (
    <>
      <Field label={t('branch')} hint={t('emptyRepositorysDefaultBranch')}>
        <Suggest
          value={draft.branch}
          onValueChange={branch => onChange({ branch })}
          suggestions={suggestions}
          placeholder="main"
          mono
        />
      </Field>
      {isFetching ? (
        <p role="status" className="text-sm text-faint">
          {t('readingBranches')}
        </p>
      ) : null}
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error.message}
        </p>
      ) : null}
    </>
  )
}
