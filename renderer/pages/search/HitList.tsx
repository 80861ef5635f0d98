import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type { SearchHit } from '../../../server/api/v1/system/search.ts'
import { placeOf, titleOf } from '../../state/conversation/list.ts'
import { groupHits, placeOfHit } from '../../state/search/groups.ts'
import { KIND_ICONS, KIND_WORDS } from '../../state/search/kinds.ts'
import { Emphasis } from '../../ui/Emphasis.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'

/** Hits under the conversations that they stand in. Up and down walk through them. */
export function HitList({ hits }: { hits: readonly SearchHit[] }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it take the keys
    <div onKeyDown={moveFocus} className="mx-auto max-w-220 px-4 py-3">
      {groupHits(hits).map(({ conversation, hits: found }) => (
        <section key={conversation.conversation_id} aria-label={titleOf(conversation)} className="pb-3">
          <h2 className="flex items-baseline gap-2 px-2 py-1">
            <span className="truncate font-medium">{titleOf(conversation)}</span>
            <PlaceName of={conversation} />
          </h2>
          <ul>
            {found.map(hit => (
              <HitRow key={`${hit.event_id} ${hit.kind}`} hit={hit} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function PlaceName({ of: { repository, folder } }: { of: Pick<SearchHit, 'repository' | 'folder'> }) {
  const place = placeOf({ selected_repository: repository, source_folder: folder })
  return place ? (
    <bdi title={place.path} className="shrink-0 text-faint text-sm">
      {place.name}
    </bdi>
  ) : null
}

function HitRow({ hit }: { hit: SearchHit }) {
  const Icon = KIND_ICONS[hit.kind]
  const isCode = hit.kind !== 'message' && hit.kind !== 'thought' && hit.kind !== 'title'
  return (
    <li>
      <Link
        to="/conversations/$conversationId"
        params={{ conversationId: hit.conversation_id }}
        search={placeOfHit(hit)}
        className="flex items-start gap-2 rounded-md px-2 py-1 hover:bg-hover focus-visible:bg-hover"
      >
        <span className="flex h-5 shrink-0 items-center text-faint">
          <Icon size={14} role="img" aria-label={KIND_WORDS[hit.kind]} />
        </span>
        <span className={`line-clamp-2 min-w-0 flex-1 break-words ${isCode ? 'font-mono text-sm leading-5' : ''}`}>
          <Emphasis text={hit.snippet} ranges={hit.matches} />
        </span>
        <RelativeTime time={hit.timestamp} className="shrink-0 text-faint text-sm leading-5" />
      </Link>
    </li>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (step === undefined) return
  const rows = [...event.currentTarget.querySelectorAll('a')]
  const from = rows.findIndex(row => row.contains(document.activeElement))
  rows[Math.max(0, Math.min(rows.length - 1, from + step))]?.focus()
  event.preventDefault()
}
