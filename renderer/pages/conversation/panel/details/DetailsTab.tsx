import { useQuery } from '@tanstack/react-query'
import type { ConversationStats } from '../../../../../server/api/event/metrics.ts'
import { specsQuery } from '../../../../api/queries.ts'
import { useClient } from '../../../../api/session.ts'
import { statsOf } from '../../../../state/conversation/conversation.ts'
import { formatCost, formatDuration, formatMoment } from '../../../../state/format.ts'
import { sandboxWord } from '../../../../state/words.ts'
import { useOpenConversation, useSnapshot } from '../../context.ts'
import { NetworkPart } from '../../network/NetworkPart.tsx'
import { useFigures } from '../../use-figures.ts'
import { useSandbox } from '../../use-sandbox.ts'
import { Entry } from '../Entry.tsx'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'
import { BrowserPart } from './BrowserPart.tsx'
import { ConfirmationForm } from './ConfirmationForm.tsx'
import { ContextMeter } from './ContextMeter.tsx'
import { Instructions } from './Instructions.tsx'
import { LimitsForm } from './LimitsForm.tsx'
import { Relations } from './Relations.tsx'
import { StepFigures } from './StepFigures.tsx'
import { ServicesPart } from './services/ServicesPart.tsx'
import { TokenFigures } from './TokenFigures.tsx'
import { ToolServers } from './ToolServers.tsx'
import { TrustPart } from './TrustPart.tsx'

/** What the conversation is: its parts, its limits, what it has used. */
export function DetailsTab() {
  const { info } = useOpenConversation()
  const stats = statsOf(useSnapshot(({ conversation }) => conversation))
  return (
    <div className="flex flex-col gap-5 p-4">
      <Section title={t('about')}>
        <Entry name={t('model')}>{info.llm_model ?? t('notSet')}</Entry>
        <Entry name={t('started')}>{formatMoment(Date.parse(info.created_at))}</Entry>
        {info.selected_repository && <Entry name={t('repository')}>{info.selected_repository}</Entry>}
        {info.source_folder && <Entry name={t('folder')}>{info.mounted_folder ?? info.source_folder}</Entry>}
        {info.selected_branch && <Entry name={t('branch')}>{info.selected_branch}</Entry>}
        <Entry name={t('id')} copy={info.id} />
      </Section>
      <Relations />
      <ContextMeter stats={stats} />
      <Used stats={stats} />
      <LimitsForm key={`${info.max_iterations}/${info.max_budget_per_task}`} />
      <ConfirmationForm />
      <NetworkPart />
      <ServicesPart />
      <ToolServers />
      <BrowserPart />
      <TrustPart />
      <Instructions />
      <Sandbox />
    </div>
  )
}

function Sandbox() {
  const { info } = useOpenConversation()
  const sandbox = useSandbox()
  const { data: specs = [] } = useQuery(specsQuery(useClient()))
  const spec = specs.find(({ id }) => id === sandbox.spec)
  return (
    <Section title={t('sandbox')}>
      <Entry name={t('state')}>{sandboxWord(sandbox.status, sandbox.unreachable)}</Entry>
      {spec && <Entry name={t('spec')}>{spec.title}</Entry>}
      {sandbox.spec && <Entry name={t('image')}>{spec?.image ?? sandbox.spec}</Entry>}
      {sandbox.detail && <Entry name={t('detail')}>{sandbox.detail}</Entry>}
      <Entry name={t('id')} copy={info.sandbox_id} />
      {sandbox.servers.map(({ name, url }) => (
        <Entry key={name} name={name} copy={url} />
      ))}
    </Section>
  )
}

function Used({ stats }: { stats: ConversationStats | null }) {
  const figures = useFigures()
  const usages = Object.entries(stats?.usage_to_metrics ?? {})
  return (
    <Section title={t('usage')}>
      <Entry name={t('steps')}>{stats?.steps ?? figures?.steps ?? 0}</Entry>
      {stats?.last_step && <Entry name={t('lastAnswer')}>{formatDuration(stats.last_step.latency_ms)}</Entry>}
      {usages.map(([usage, metrics]) => (
        <TokenFigures
          key={usage}
          purpose={usages.length > 1 ? usage : null}
          metrics={metrics}
          costUnknown={stats?.cost_unknown ?? false}
        />
      ))}
      {stats?.cost_unknown && (
        <p className="py-1 text-soft text-sm">
          {totalCost(stats) > 0 ? t('priceUnknownAtLeast', { cost: formatCost(totalCost(stats)) }) : t('priceUnknown')}
        </p>
      )}
      <StepFigures />
    </Section>
  )
}

function totalCost({ usage_to_metrics }: ConversationStats): number {
  return Object.values(usage_to_metrics).reduce((sum, { accumulated_cost }) => sum + accumulated_cost, 0)
}
