import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import { gitRepositoriesQuery } from '../../../api/git-data.ts'
import { conversationListQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import type { LaunchDraft } from '../../../state/launch/launch.ts'
import { type RepositoryOption, repositoryOptions, repositoryTyped } from '../../../state/launch/repositories.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Suggest } from '../../../ui/field/Suggest.tsx'
import { PROVIDER_TITLES } from '../../settings/git/provider-titles.ts'
import { t } from '../text.ts'
import { MissingProviders } from './MissingProviders.tsx'

export interface RepositoryFieldProps {
  draft: LaunchDraft
  problem: string | undefined
  connected: readonly GitProvider[]
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** Repositories of earlier conversations and of every provider with a token; an address or another name can be typed. */
export function RepositoryField({ draft, problem, connected, onChange }: RepositoryFieldProps) {
  const client = useClient()
  const text = draft.repository.trim()
  const used = useInfiniteQuery(conversationListQuery(client, '')).data?.pages.flatMap(page => page.items) ?? []
  const search = useQuery({ ...gitRepositoriesQuery(client, text), enabled: connected.length > 0 })
  const options = repositoryOptions(used, search.data?.items ?? [])
  const suggestions = options.map(option => ({ ...option, value: option.name, hint: hintOf(option) }))
  const isUnknown = !options.some(({ name }) => name.includes(text)) && search.data?.items.length === 0
  // Half a name is what a search begins with; without a search it is wrong.
  const error = connected.length === 0 ? problem : undefined
  return (
    <>
      <Field label={t('repository')} hint={t('gitAddress')} error={error}>
        <Suggest
          value={draft.repository}
          onValueChange={value => onChange(repositoryTyped(value, options, connected))}
          onPick={({ name, provider }) => onChange({ repository: name, provider: provider ?? '', branch: '' })}
          suggestions={suggestions}
          placeholder={t('searchRepositories')}
          mono
        />
      </Field>
      {search.isFetching ? (
        <p role="status" className="text-sm text-faint">
          {t('searchingProviders')}
        </p>
      ) : null}
      {search.error && !search.isFetching ? (
        <div role="alert" className="flex flex-col items-start gap-2 text-sm">
          <p className="text-bad [overflow-wrap:anywhere]">{search.error.message}</p>
          <Button size="small" onClick={() => void search.refetch()}>
            {t('tryAgain')}
          </Button>
        </div>
      ) : null}
      {text && isUnknown && !search.isFetching ? (
        <p role="status" className="text-sm text-faint">
          {t('noSuchRepository')}
        </p>
      ) : null}
      <MissingProviders missing={search.data?.missing ?? []} />
      {connected.length === 0 ? <NoToken /> : null}
    </>
  )
}

function NoToken() {
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-sm text-soft">{t('addTokenToSearch')}</p>
      <Link to="/settings/$section" params={{ section: 'git' }} className={buttonClass('secondary', 'small')}>
        {t('openSettingsGit')}
      </Link>
    </div>
  )
}

function hintOf({ provider, recent }: RepositoryOption): string {
  return [provider && PROVIDER_TITLES[provider].title, recent && t('recent')].filter(Boolean).join(' · ')
}
