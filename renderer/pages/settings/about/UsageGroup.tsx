import { useQuery } from '@tanstack/react-query'
import { addFigures, type ModelUsage, type UsageReport } from '../../../../server/api/v1/system/usage.ts'
import { usageQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { formatTokens } from '../../../state/format.ts'
import { costWords, tokensOf, usageBars, usageWords } from '../../../state/usage-bars.ts'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

/** What the models of the last 30 days took, day by day and model by model. */
export function UsageGroup() {
  const { data, error, refetch, isFetching } = useQuery(usageQuery(useClient()))
  return (
    <Group title={t('usageOfLastMonth')} about={t('countedOnThisMachine')}>
      <SettingAnchor name="usage" className="flex flex-col gap-4">
        {error ? <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
        {!error && !data ? <Skeleton label={t('loadingUsage')} /> : null}
        {data && data.total.steps === 0 ? <p className="text-faint">{t('noModelWasAskedYet')}</p> : null}
        {data && data.total.steps > 0 ? <Report report={data} /> : null}
      </SettingAnchor>
    </Group>
  )
}

function Report({ report }: { report: UsageReport }) {
  return (
    <>
      <p className="tabular">{usageWords(report.total)}</p>
      <Bars report={report} />
      <table className="w-full text-sm tabular">
        <thead className="text-faint">
          <tr>
            <th scope="col" className="py-1 text-start font-normal">
              {t('model')}
            </th>
            <Head>{t('read')}</Head>
            <Head>{t('fromCache')}</Head>
            <Head>{t('intoCache')}</Head>
            <Head>{t('written')}</Head>
            <Head>{t('cost')}</Head>
          </tr>
        </thead>
        <tbody>
          {byModel(report.by_model).map(usage => (
            <ModelRow key={usage.model} usage={usage} />
          ))}
        </tbody>
      </table>
    </>
  )
}

/** The bars say with their heights what each says in words to who points at it, or hears the list. */
function Bars({ report }: { report: UsageReport }) {
  return (
    <ol aria-label={t('byDay')} className="flex h-20 items-end gap-px border-line border-b">
      {usageBars(report).map(({ day, height, words }) => (
        <li key={day} title={`${day}: ${words}`} className="flex h-full min-w-0 flex-1 items-end hover:bg-hover">
          <span
            aria-hidden
            style={{ height: `${height * 100}%` }}
            className={`w-full rounded-t-sm bg-accent ${height > 0 ? 'min-h-0.5' : ''}`}
          />
          <span className="sr-only">
            {day}: {words}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Head({ children }: { children: string }) {
  return (
    <th scope="col" className="hyphens-auto py-1 ps-2 text-end align-bottom font-normal">
      {children}
    </th>
  )
}

function ModelRow({ usage }: { usage: ModelUsage }) {
  const { model, prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens } = usage
  return (
    <tr className="border-line border-t">
      <th scope="row" className="break-all py-1 text-start font-mono font-normal">
        {model}
      </th>
      <Cell>{formatTokens(prompt_tokens)}</Cell>
      <Cell>{formatTokens(cache_read_tokens)}</Cell>
      <Cell>{formatTokens(cache_write_tokens)}</Cell>
      <Cell>{formatTokens(completion_tokens)}</Cell>
      <Cell>{costWords(usage)}</Cell>
    </tr>
  )
}

function Cell({ children }: { children: string }) {
  return <td className="py-1 ps-2 text-end">{children}</td>
}

/** Whatever a model was asked for, it is one row; the one that took most comes first. */
function byModel(usages: readonly ModelUsage[]): ModelUsage[] {
  const models = new Map<string, ModelUsage>()
  for (const usage of usages) {
    const known = models.get(usage.model)
    models.set(usage.model, known ? { ...known, ...addFigures(known, usage) } : usage)
  }
  return [...models.values()].sort((a, b) => b.cost - a.cost || tokensOf(b) - tokensOf(a))
}
