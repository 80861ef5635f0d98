import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sandboxServicesQuery, useServiceAct } from '../../../../../api/sandbox/services.ts'
import { useClient } from '../../../../../api/session.ts'
import { Button } from '../../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../../ui/ErrorNotice.tsx'
import { AlertDialog } from '../../../../../ui/overlay/AlertDialog.tsx'
import { useOpenConversation } from '../../../context.ts'
import { useSandbox } from '../../../use-sandbox.ts'
import { Section } from '../../Section.tsx'
import { ServiceRow } from './ServiceRow.tsx'
import { t } from './text.ts'

/** The project's services beside the sandbox; nothing where the repository describes none. */
export function ServicesPart() {
  const { info } = useOpenConversation()
  const { isUsable } = useSandbox()
  const id = info.sandbox_id
  const { data, error, refetch } = useQuery(sandboxServicesQuery(useClient(), id))
  const act = useServiceAct(id)
  const [asks, setAsks] = useState(false)
  if (error && !data) {
    return (
      <Section title={t('services')}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </Section>
    )
  }
  if (!data || (data.file === null && data.services.length === 0)) return null
  const { file, problem, services, left_out } = data
  const fixedReason = isUsable ? null : t('sandboxIsNotRunning')
  const isBegun = services.some(({ state }) => state !== 'not_started')
  return (
    <Section title={t('services')}>
      <div className="flex flex-col gap-2">
        {file && <p className="text-soft text-sm">{t('fromFile', { file })}</p>}
        {problem && <p className="text-bad text-sm [overflow-wrap:anywhere]">{problem}</p>}
        {services.length > 0 && (
          <ul className="rounded-md border border-line">
            {services.map(service => (
              <ServiceRow
                key={service.name}
                sandboxId={id}
                service={service}
                fixedReason={fixedReason}
                busy={act.isPending}
                onAct={one => act.mutate({ act: one, name: service.name })}
              />
            ))}
          </ul>
        )}
        {services.length === 0 && !problem && <p className="text-soft text-sm">{t('noneCanBeStarted')}</p>}
        {left_out.map(({ name, reason }) => (
          <p key={name} className="text-soft text-sm [overflow-wrap:anywhere]">
            {t('leftOut', { name, reason })}
          </p>
        ))}
        {services.length > 0 && (
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              busy={act.isPending}
              disabledReason={fixedReason}
              onClick={() => act.mutate({ act: 'start', name: null })}
            >
              {t('startAll')}
            </Button>
            {isBegun && (
              <Button size="small" look="quiet" busy={act.isPending} onClick={() => setAsks(true)}>
                {t('startOver')}
              </Button>
            )}
          </div>
        )}
      </div>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('throwServicesAway')}
        confirm={t('throwAway')}
        busy={act.isPending}
        onConfirm={() => act.mutate({ act: 'delete' }, { onSettled: () => setAsks(false) })}
      >
        {t('whatIsThrownAway')}
      </AlertDialog>
    </Section>
  )
}
