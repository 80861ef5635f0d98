import { Hammer } from 'lucide-react'
import { useStart } from '../../api/start.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { useOpenConversation } from './context.ts'
import { t } from './text.ts'
import { ConversationLink } from './timeline/line/ConversationLink.tsx'

const BUILD = t('buildPlan')

/** What a plan is for: once it stands, an agent that may write builds it, in the same sandbox. */
export function BuildPlan() {
  const { id, info, status } = useOpenConversation()
  const start = useStart()
  // While the agent asks, the card that asks has the place.
  if (info.agent_type !== 'plan' || status === 'waiting_for_confirmation') return null
  const [built] = info.sub_conversation_ids
  const reason = status === 'running' ? t('planIsBeingWritten') : null
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
          <span className="font-medium">{t('planMode')}</span>{' '}
          <span className="text-soft">{t('agentOnlyWritesPlan')}</span>
        </p>
        {built && <ConversationLink id={built}>{t('openBuild')}</ConversationLink>}
        <Button
          look={built ? 'secondary' : 'primary'}
          icon={<Hammer size={13} aria-hidden />}
          busy={start.isPending}
          disabledReason={reason}
          onClick={build}
        >
          {built ? t('buildItAgain') : t('buildIt')}
        </Button>
      </div>
      {start.error && <ErrorNotice error={start.error} />}
    </>
  )
}
