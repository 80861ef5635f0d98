import { X } from 'lucide-react'
import { type AllowedKind, updateAppConversation } from '../../../../server/api/app-conversations.ts'
import { Button } from '../../../ui/Button.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import { useCommand } from '../use-command.ts'

/** What does not wait any more because the person said "always", and the way back. */
export function AllowedKinds() {
  const { id, info } = useOpenConversation()
  const save = useCommand((client, taken: AllowedKind) =>
    client.call(updateAppConversation, {
      params: { conversation_id: id },
      body: { always_allowed: info.always_allowed.filter(kind => kind.id !== taken.id).map(kind => kind.id) },
    }),
  )
  if (info.always_allowed.length === 0) return null
  return (
    <>
      <h3 className="mt-2 text-faint text-sm">Always allowed here</h3>
      <ul aria-label="Always allowed here">
        {info.always_allowed.map(kind => (
          <li key={kind.id} className="flex items-start justify-between gap-2 py-0.5">
            <span className="min-w-0 text-soft [overflow-wrap:anywhere]">{kind.text}</span>
            <Button
              look="quiet"
              size="small"
              aria-label={`Ask again: ${kind.text}`}
              title="Ask again"
              busy={save.isPending && save.variables.id === kind.id}
              onClick={() => save.mutate(kind)}
            >
              <X size={13} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
