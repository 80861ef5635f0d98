import type { ConversationStats } from '../../../../../server/api/event/metrics.ts'
import { condenseConversation } from '../../../../../server/api/v1/conversation/actions.ts'
import { contextUse } from '../../../../state/conversation/step-costs.ts'
import { formatTokens } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { Progress } from '../../../../ui/Progress.tsx'
import { useCommand } from '../../composer/use-command.ts'
import { useOpenConversation } from '../../context.ts'
import { Section } from '../Section.tsx'

/** How full the model's context is, and the way to make room in it. */
export function ContextMeter({ stats }: { stats: ConversationStats | null }) {
  const { id, snapshot } = useOpenConversation()
  const usage = stats?.last_step?.usage
  const use = contextUse(usage)
  const condense = useCommand(async client => {
    await client.call(condenseConversation, { params: { conversation_id: id } })
    notifyDone('Earlier steps are summed up before the next one.')
  })
  const button = (
    <Button
      size="small"
      busy={condense.isPending}
      disabledReason={snapshot.conversation.events.length === 0 ? 'Nothing has happened yet.' : null}
      onClick={() => condense.mutate()}
    >
      Sum up now
    </Button>
  )
  return (
    <Section title="Context" aside={button}>
      {use ? (
        <>
          <Progress label="The model’s context that is in use" value={{ done: use.used, total: use.window }} />
          <p className="mt-1 text-soft text-sm tabular">
            {formatTokens(use.used)} of {formatTokens(use.window)} tokens, {Math.round(use.share * 100)} %
          </p>
        </>
      ) : (
        <p className="text-soft text-sm tabular">
          {usage
            ? `${formatTokens(usage.per_turn_token)} tokens. How many the model takes is not known.`
            : 'Known after the first step.'}
        </p>
      )}
    </Section>
  )
}
