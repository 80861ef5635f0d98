import type { ReactNode } from 'react'
import { statsOf } from '../../../state/conversation.ts'
import { formatCost, formatDuration, formatMoment } from '../../../state/format.ts'
import { STATE_WORDS, sandboxState } from '../../../state/words.ts'
import { useOpenConversation } from '../conversation-context.ts'
import { useSandbox } from '../use-sandbox.ts'
import { Entry } from './Entry.tsx'
import { LimitsForm } from './LimitsForm.tsx'
import { TokenFigures } from './TokenFigures.tsx'

/** What the conversation is: its parts, its limits, what it has used. */
export function DetailsTab() {
  const { info, snapshot } = useOpenConversation()
  const sandbox = useSandbox()
  const stats = statsOf(snapshot.conversation)
  return (
    <div className="flex flex-col gap-5 p-4">
      <Section title="Conversation">
        <Entry name="Model">{info.llm_model ?? 'not set'}</Entry>
        <Entry name="Started">{formatMoment(Date.parse(info.created_at))}</Entry>
        {info.selected_repository && <Entry name="Repository">{info.selected_repository}</Entry>}
        {info.selected_branch && <Entry name="Branch">{info.selected_branch}</Entry>}
        <Entry name="Id" copy={info.id} />
      </Section>
      <Section title="Sandbox">
        <Entry name="State">{STATE_WORDS[sandboxState(sandbox.status)].word}</Entry>
        {sandbox.spec && <Entry name="Image">{sandbox.spec}</Entry>}
        {sandbox.detail && <Entry name="Detail">{sandbox.detail}</Entry>}
        <Entry name="Id" copy={info.sandbox_id} />
      </Section>
      <LimitsForm key={`${info.max_iterations}/${info.max_budget_per_task}`} />
      <Section title="Used">
        <Entry name="Steps">{stats?.steps ?? info.steps}</Entry>
        {stats?.last_step && <Entry name="Last answer">{formatDuration(stats.last_step.latency_ms)}</Entry>}
        {Object.entries(stats?.usage_to_metrics ?? {}).map(([usage, metrics]) => (
          <TokenFigures key={usage} metrics={metrics} />
        ))}
        {stats?.cost_unknown && (
          <p className="py-1 text-soft text-sm">
            The price of the model is not known, so {formatCost(totalCost(stats.usage_to_metrics))} is the least it
            cost.
          </p>
        )}
      </Section>
    </div>
  )
}

function totalCost(metrics: Readonly<Record<string, { accumulated_cost: number }>>): number {
  return Object.values(metrics).reduce((sum, { accumulated_cost }) => sum + accumulated_cost, 0)
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1 font-semibold">{title}</h2>
      {children}
    </section>
  )
}
