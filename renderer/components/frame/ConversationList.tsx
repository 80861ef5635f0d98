import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Archive, CalendarDays, ListFilter as FilterIcon, FolderGit2 } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { conversationListQuery, openStartTasksQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { useNow } from '../../state/clock.ts'
import { useLeaving } from '../../state/conversation/leaving.ts'
import { type GroupBy, groupConversations } from '../../state/conversation/list.ts'
import { changeMarks, isUnread, seenAt, useListMarks } from '../../state/conversation/list-marks.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { CONVERSATION_STATES, STATE_WORDS, type State } from '../../state/words.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/overlay/Menu.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { t } from '../text.ts'
import { ConversationRow, StartTaskRow } from './ConversationRow.tsx'
import { RowMenu } from './RowMenu.tsx'
import { SelectedBar } from './SelectedBar.tsx'
import { useSelection } from './use-selection.ts'
import { useSeveral } from './use-several.ts'

export function ConversationList({ onOpen }: { onOpen?: (() => void) | undefined }) {
  const [text, setText] = useState('')
  const [state, setState] = useState<State | null>(null)
  const [onlyArchived, setOnlyArchived] = useState(false)
  const [grouping, setGrouping] = usePreference('conversation-list.group', 'day')
  const groupBy = grouping === 'place' ? 'place' : 'day'
  return (
    <>
      <div className="flex items-center gap-1 px-3 pb-2">
        <Input
          aria-label={t('filterConversations')}
          placeholder={t('filter')}
          value={text}
          onValueChange={setText}
          className="h-7!"
        />
        <ListMenu
          state={state}
          onChange={setState}
          onlyArchived={onlyArchived}
          onOnlyArchived={setOnlyArchived}
          groupBy={groupBy}
          onGroupBy={setGrouping}
        />
      </div>
      <Groups
        text={useDeferredValue(text)}
        state={state}
        onlyArchived={onlyArchived}
        groupBy={groupBy}
        onOpen={onOpen}
      />
    </>
  )
}

interface GroupsProps {
  text: string
  state: State | null
  onlyArchived: boolean
  groupBy: GroupBy
  onOpen: (() => void) | undefined
}

/** The rows, in the place that they scroll in. */
function Groups(props: GroupsProps) {
  const listed = useListed(props)
  const nav = useRef<HTMLElement>(null)
  const { text, state, onlyArchived } = props
  // What is out of sight is not to be deleted with what is in sight.
  const { ids, clear: clearIds, ...handlers } = useSelection(JSON.stringify([text, state, onlyArchived]))
  const clear = () => {
    clearIds()
    // The button that was pressed goes with what is selected.
    nav.current?.focus()
  }
  // What has gone meanwhile is not selected any more.
  const present = listed.conversations.filter(({ id }) => ids.has(id)).map(({ id }) => id)
  const selected: ReadonlySet<string> = new Set(present)
  const several = useSeveral({ ids: selected, clear })
  const list = (
    <nav
      ref={nav}
      tabIndex={-1}
      aria-label={t('conversations')}
      className="isolate min-h-0 flex-1 overflow-y-auto px-2 pb-2 outline-none"
      {...handlers}
    />
  )
  return (
    <>
      <SelectedBar several={several} onClear={clear} />
      <RowMenu trigger={list} conversations={listed.conversations} several={several}>
        <Rows {...props} {...listed} selected={selected} />
      </RowMenu>
    </>
  )
}

/** What is loaded of the conversations, and what their person has marked. */
function useListed({ text, onlyArchived }: GroupsProps) {
  const client = useClient()
  const title = text.trim()
  const all = useInfiniteQuery(conversationListQuery(client, ''))
  // What is not loaded yet is found by its title; repositories are searched in what is.
  const found = useInfiniteQuery({ ...conversationListQuery(client, title), enabled: title !== '' })
  const { conversationId: openId = null } = useParams({ strict: false })
  const marks = useListMarks()
  // What a person has put somewhere may be older than what is loaded.
  const isMore = all.hasNextPage
  const placed = useInfiniteQuery({
    ...conversationListQuery(client, '', onlyArchived ? 'archived' : 'pinned'),
    enabled: isMore,
  })
  const lists = [...(isMore ? [placed] : []), ...(title ? [found] : []), all]
  const loaded = lists.flatMap(({ data }) => data?.pages ?? []).flatMap(page => page.items)
  const conversations = [...new Map(loaded.map(one => [one.id, one])).values()]
  const open = conversations.find(({ id }) => id === openId)
  // What is open in front of its person is seen.
  useEffect(() => {
    if (!open) return
    const see = () => changeMarks(before => seenAt(before, open.id, open.updated_at))
    if (document.hasFocus()) see()
    window.addEventListener('focus', see)
    return () => window.removeEventListener('focus', see)
  }, [open])
  return { all, more: onlyArchived && isMore ? placed : all, conversations, marks, openId }
}

function Rows(props: GroupsProps & ReturnType<typeof useListed> & { selected: ReadonlySet<string> }) {
  const { text, state, onlyArchived, groupBy, onOpen, all, more, conversations, marks, openId, selected } = props
  const leaving = useLeaving()
  const { data: startTasks = [] } = useQuery(openStartTasksQuery(useClient()))
  const now = useNow(60_000)
  if (all.isPending) return <Skeleton label={t('loadingConversations')} lines={6} className="px-2 pt-2" />
  if (all.isLoadingError)
    return <ErrorNotice error={all.error} onRetry={() => void all.refetch()} retrying={all.isFetching} />

  const filter = { text, state, openId, onlyArchived, leaving, groupBy }
  const groups = groupConversations(conversations, filter, now)
  const shown = groups.flatMap(({ items }) => items.map(({ conversation }) => conversation.id))
  const tabStop = openId !== null && shown.includes(openId) ? openId : shown[0]
  return (
    <>
      {groups.length === 0 && startTasks.length === 0 && (
        <p className="px-2 pt-2 text-faint">
          {conversations.some(({ id }) => !leaving.has(id)) || text ? t('nothingMatches') : t('noConversationsYet')}
        </p>
      )}
      {startTasks.length > 0 && !text && !state && !onlyArchived ? (
        <Group title={t('starting')}>
          {startTasks.map(task => (
            <StartTaskRow key={task.id} task={task} onOpen={onOpen} />
          ))}
        </Group>
      ) : null}
      {groups.map(({ key, title, items }) => (
        <Group key={key} title={title}>
          {items.map(({ conversation, nested }) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              nested={nested}
              isTabStop={conversation.id === tabStop}
              isSelected={selected.has(conversation.id)}
              isUnread={conversation.id !== openId && isUnread(conversation, marks)}
              onOpen={onOpen}
            />
          ))}
        </Group>
      ))}
      {more.hasNextPage ? (
        <Button
          look="quiet"
          className="mt-1 w-full"
          busy={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t('showOlderConversations')}
        </Button>
      ) : null}
    </>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="pb-2">
      <h2 className="px-2 pt-1 pb-1 text-xs font-medium text-faint">{title}</h2>
      <ul className="flex flex-col gap-px">{children}</ul>
    </section>
  )
}

interface ListMenuProps {
  state: State | null
  onChange: (state: State | null) => void
  onlyArchived: boolean
  onOnlyArchived: (only: boolean) => void
  groupBy: GroupBy
  onGroupBy: (by: GroupBy) => void
}

/** What the list shows, and in which groups. */
function ListMenu({ state, onChange, onlyArchived, onOnlyArchived, groupBy, onGroupBy }: ListMenuProps) {
  const words = state ? t('onlyState', { state: STATE_WORDS[state].word }) : t('filterByState')
  const stateIcon = state ? <StateDot state={state} silent /> : <FilterIcon size={14} aria-hidden />
  const icon = onlyArchived ? <Archive size={14} aria-hidden /> : stateIcon
  const label = onlyArchived ? t('onlyArchived') : words
  function choose(next: State | null, archived: boolean) {
    onChange(next)
    onOnlyArchived(archived)
  }
  return (
    <Menu trigger={<IconButton label={label} icon={icon} className={state || onlyArchived ? 'bg-selected' : ''} />}>
      <MenuItem onSelect={() => choose(null, false)}>{t('allStates')}</MenuItem>
      <MenuSeparator />
      {CONVERSATION_STATES.map(one => (
        <MenuItem key={one} icon={<StateDot state={one} silent />} onSelect={() => choose(one, false)}>
          {STATE_WORDS[one].word}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Archive size={13} aria-hidden />} onSelect={() => choose(null, true)}>
        {t('archived')}
      </MenuItem>
      <MenuSeparator />
      {groupBy === 'day' ? (
        <MenuItem icon={<FolderGit2 size={13} aria-hidden />} onSelect={() => onGroupBy('place')}>
          {t('groupByPlace')}
        </MenuItem>
      ) : (
        <MenuItem icon={<CalendarDays size={13} aria-hidden />} onSelect={() => onGroupBy('day')}>
          {t('groupByDay')}
        </MenuItem>
      )}
    </Menu>
  )
}
