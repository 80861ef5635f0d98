import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AppConversation, updateAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { keys } from '../../api/query-keys.ts'
import { useClient } from '../../api/session.ts'
import { notifyError } from '../../ui/overlay/toast.ts'

interface Placed {
  ids: readonly string[]
  pinned?: boolean
  archived?: boolean
}

type Lists = InfiniteData<{ items: AppConversation[] }>

/** Pins and archives conversations. The lists show it at once, and what it really was when the service refuses. */
export function usePlaceInList() {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, ...body }: Placed) => {
      const calls = ids.map(conversation_id =>
        client.call(updateAppConversation, { params: { conversation_id }, body }),
      )
      const failed = (await Promise.allSettled(calls)).find(call => call.status === 'rejected')
      if (failed) throw failed.reason
    },
    onMutate: async placed => {
      await queries.cancelQueries({ queryKey: keys.conversationLists })
      queries.setQueriesData<Lists>({ queryKey: keys.conversationLists }, lists => lists && withPlace(lists, placed))
    },
    onError: notifyError,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.conversations }),
  })
}

function withPlace(lists: Lists, { ids, pinned, archived }: Placed): Lists {
  const now = new Date().toISOString()
  const change = (one: AppConversation): AppConversation =>
    ids.includes(one.id)
      ? {
          ...one,
          ...(pinned !== undefined && { pinned_at: pinned ? now : null }),
          ...(archived !== undefined && { archived_at: archived ? now : null }),
        }
      : one
  return { ...lists, pages: lists.pages.map(page => ({ ...page, items: page.items.map(change) })) }
}
