import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Asked, searchQuery } from '../../api/search.ts'
import { useClient } from '../../api/session.ts'
import { type AskedFilters, KINDS_OF_FILTER } from '../../state/search/kinds.ts'
import { useSettled } from '../../state/settled.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { Filters } from './Filters.tsx'
import { HitList } from './HitList.tsx'
import { IndexNote } from './IndexNote.tsx'
import { t } from './text.ts'

export interface SearchPageProps {
  asked: AskedFilters
}

const PAGE = 40

/** Everything that was said and done in all conversations, with filters. */
export function SearchPage({ asked }: SearchPageProps) {
  const navigate = useNavigate()
  const [text, setText] = useState(asked.text)
  const change = (next: AskedFilters) => void navigate({ to: '/search', search: next, replace: true })
  return (
    <>
      <Toolbar title={t('searchConversations')} />
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <Input
          autoFocus
          type="search"
          aria-label={t('words')}
          aria-describedby="how-to-search"
          placeholder={t('words')}
          value={text}
          maxLength={500}
          onValueChange={next => {
            setText(next)
            change({ ...asked, text: next })
          }}
          className="min-w-56 flex-1"
        />
        <Filters asked={asked} onChange={change} />
        <p id="how-to-search" className="w-full text-faint text-sm">
          {t('howToSearch')}
        </p>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Found asked={{ ...asked, text }} />
      </div>
    </>
  )
}

function Found({ asked: { text, kind, repository, folder, days } }: SearchPageProps) {
  const words = useSettled(text, SETTLED_MS).trim()
  const kinds = kind ? KINDS_OF_FILTER[kind] : []
  const asked: Asked = { text: words, kinds, repository, folder, days, limit: PAGE }
  const found = useInfiniteQuery({ ...searchQuery(useClient(), asked), enabled: words !== '' })
  if (words === '') return <EmptyState title={t('whatToSearch')}>{t('whatIsSearched')}</EmptyState>
  if (found.isError && !found.data)
    return (
      <div className="max-w-160 p-4">
        <ErrorNotice error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      </div>
    )
  if (!found.data) return <Skeleton label={t('searching')} lines={8} className="p-4" />
  const hits = found.data.pages.flatMap(page => page.items)
  return (
    <>
      <IndexNote index={found.data.pages.at(-1)?.index} />
      {hits.length === 0 && !found.hasNextPage ? (
        <EmptyState title={t('nothingFound')}>{t('tryFewerWords')}</EmptyState>
      ) : (
        <HitList hits={hits} />
      )}
      {found.hasNextPage ? (
        <div className="px-4 pb-4">
          <Button look="quiet" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {t('showMore')}
          </Button>
        </div>
      ) : null}
    </>
  )
}

const SETTLED_MS = 150
