import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CornerLeftUp } from 'lucide-react'
import { conversationQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { titleOf } from '../../../state/conversation/list.ts'
import { buttonClass } from '../../../ui/Button.tsx'
import { useOpenConversation } from '../context.ts'
import { t } from '../text.ts'

/** The way back to the conversation that this one works for. */
export function ParentLink() {
  const parent = useOpenConversation().info.parent_conversation_id
  return parent ? <Parent id={parent} /> : null
}

function Parent({ id }: { id: string }) {
  const { data } = useQuery(conversationQuery(useClient(), id))
  if (data === null) return null
  const label = data ? t('partOfConversation', { title: titleOf(data) }) : t('partOfOtherConversation')
  return (
    <Link
      to="/conversations/$conversationId"
      params={{ conversationId: id }}
      aria-label={label}
      title={label}
      className={`${buttonClass('quiet', 'small')} px-1!`}
    >
      <CornerLeftUp size={14} aria-hidden />
    </Link>
  )
}
