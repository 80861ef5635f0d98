import { useInfiniteQuery } from '@tanstack/react-query'
import { conversationListQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { placeOf } from '../../state/conversation/list.ts'
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
  const chosen = { selected_repository: asked.repository ?? null, source_folder: asked.folder ?? null }
  const known = [chosen, ...(data?.pages ?? []).flatMap(page => page.items)].flatMap(each => placeOf(each) ?? [])
  const places = [...new Map(known.map(place => [place.path, place])).values()].sort(byName)
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
      {places.length > 0 ? (
        <Select
          aria-label={t('place')}
          value={asked.repository ?? asked.folder ?? ''}
          options={[
            { value: '', label: t('anyPlace') },
            ...places.map(({ path, name }) => ({ value: path, label: name, ...(path !== name && { hint: path }) })),
          ]}
          onValueChange={path => onChange({ ...asked, ...wherePath(path) })}
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

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)

/** A repository is `owner/name`, and never an absolute path. */
function wherePath(path: string): Pick<AskedFilters, 'repository' | 'folder'> {
  const isFolder = /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path)
  return { repository: isFolder ? undefined : path || undefined, folder: isFolder ? path : undefined }
}
