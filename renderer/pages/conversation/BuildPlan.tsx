import { Hammer } from 'lucide-react'
import { useStart } from '../../api/start.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { useOpenConversation } from './context.ts'
import { ConversationLink } from './timeline/line/ConversationLink.tsx'

const BUILD =
  'Build what .agents_tmp/PLAN.md says. Follow its steps, and keep it up to date where the work shows it wrong.'

/** What a plan is for: once it stands, an agent that may write builds it, in the same sandbox. */
export function BuildPlan() {
  const { id, info, status } = useOpenConversation()
  const start = useStart()
  // While the agent asks, the card that asks has the place.
  if (info.agent_type !== 'plan' || status === 'waiting_for_confirmation') return null
  const [built] = info.sub_conversation_ids
  const reason = status === 'running' ? 'The plan is being written.' : null
  function build() {
    start.mutate({
      sandbox_id: info.sandbox_id,
      parent_conversation_id: id,
      llm_model: info.llm_model,
      initial_message: { role: 'user', content: [{ type: 'text', text: BUILD }], run: true },
    })
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-accent-wash px-3 py-2">
        <p className="min-w-0 flex-1">
          <span className="font-medium">This conversation plans.</span>{' '}
          <span className="text-soft">It reads, and writes nothing but .agents_tmp/PLAN.md.</span>
        </p>
        {built && <ConversationLink id={built}>Where it is built</ConversationLink>}
        <Button
          look={built ? 'secondary' : 'primary'}
          icon={<Hammer size={13} aria-hidden />}
          busy={start.isPending}
          disabledReason={reason}
          onClick={build}
        >
          {built ? 'Build it again' : 'Build it'}
        </Button>
      </div>
      {start.error && <ErrorNotice error={start.error} />}
    </>
  )
}
