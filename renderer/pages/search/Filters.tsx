import { useInfiniteQuery } from '@tanstack/react-query'
import { conversationListQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { repositoryName } from '../../state/format.ts'
import { type AskedFilters, FILTER_WORDS, KIND_FILTERS, type KindFilter } from '../../state/search/kinds.ts'
import { Select } from '../../ui/field/Select.tsx'
import { t } from './text.ts'

interface FiltersProps {
  asked: AskedFilters
  onChange: (asked: AskedFilters) => void
}

const DAYS = ['1', '7', '30', '365'] as const

export function Filters({ asked, onChange }: FiltersProps) {
  const { data } = useInfiniteQuery(conversationListQuery(useClient(), ''))
  const known = (data?.pages ?? []).flatMap(page => page.items.map(item => item.selected_repository))
  const repositories = [...new Set([asked.repository, ...known])].filter(name => typeof name === 'string').sort()
  return (
    <>
      <Select<KindFilter | ''>
        aria-label={t('kind')}
        value={asked.kind ?? ''}
        options={[
          { value: '', label: t('everything') },
          ...KIND_FILTERS.map(value => ({ value, label: FILTER_WORDS[value] })),
        ]}
        onValueChange={kind => onChange({ ...asked, kind: kind || undefined })}
        className="w-38"
      />
      {repositories.length > 0 ? (
        <Select
          aria-label={t('repository')}
          value={asked.repository ?? ''}
          options={[
            { value: '', label: t('allRepositories') },
            ...repositories.map(value => ({ value, label: repositoryName(value) })),
          ]}
          onValueChange={repository => onChange({ ...asked, repository: repository || undefined })}
          className="w-44"
        />
      ) : null}
      <Select
        aria-label={t('time')}
        value={asked.days === undefined ? '' : String(asked.days)}
        options={[
          { value: '', label: t('anyTime') },
          ...DAYS.map(value => ({ value, label: t('lastDays', { days: Number(value) }) })),
        ]}
        onValueChange={days => onChange({ ...asked, days: days === '' ? undefined : Number(days) })}
        className="w-32"
      />
    </>
  )
}
