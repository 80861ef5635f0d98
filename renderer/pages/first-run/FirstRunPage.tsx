import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { settingsQuery, systemQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { useSaveSettings } from '../../api/settings.ts'
import { useDemonstration } from '../../api/start.ts'
import { Banners } from '../../components/banner/Banners.tsx'
import { Mark } from '../../components/Mark.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { CheckRow } from './CheckRow.tsx'
import { EngineRow } from './EngineRow.tsx'
import { ModelRow } from './ModelRow.tsx'
import { t } from './text.ts'

/** One page, three rows that check themselves. Nothing here must be done. */
export function FirstRunPage() {
  const client = useClient()
  const { data: system } = useQuery(systemQuery(client))
  const { data: settings } = useQuery(settingsQuery(client))
  const engineReady = system?.engine.state === 'ready'
  const modelReady = Boolean(settings?.llm_model)
  return (
    <div className="flex h-full flex-col bg-surface">
      <Banners engine={false} />
      <main className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-160 flex-col gap-6 px-5 py-12">
          <div className="flex items-center gap-3">
            <Mark size={32} />
            <div>
              <h1 className="text-xl font-semibold">{t('atelier')}</h1>
              <p className="text-soft">{t('softwareDevelopmentAgents')}</p>
            </div>
          </div>
          <div className="flex flex-col rounded-lg border border-line">
            <EngineRow system={system} />
            <ModelRow settings={settings ?? null} />
            <TryRow engineReady={engineReady} modelReady={modelReady} />
          </div>
          <SkipLine ready={engineReady && modelReady} />
        </div>
      </main>
    </div>
  )
}

function TryRow({ engineReady, modelReady }: { engineReady: boolean; modelReady: boolean }) {
  const demonstration = useDemonstration()
  return (
    <CheckRow title={t('tryIt')} state="open" detail={t('recordedAgentFixesFailingTest')}>
      <div className="flex flex-wrap gap-2">
        <Button
          look={modelReady ? 'secondary' : 'primary'}
          icon={<Play size={13} aria-hidden />}
          busy={demonstration.isPending}
          disabledReason={engineReady ? null : t('itNeedsEngine')}
          onClick={() => demonstration.mutate()}
        >
          {t('watchDemonstration')}
        </Button>
        {modelReady ? (
          <Link to="/" className={buttonClass('primary')}>
            {t('startConversation')}
          </Link>
        ) : null}
      </div>
    </CheckRow>
  )
}

/** Skipping stores the defaults, so that this page does not come again by itself. */
function SkipLine({ ready }: { ready: boolean }) {
  const save = useSaveSettings()
  const navigate = useNavigate()
  const leave = () => save.mutate({}, { onSuccess: () => navigate({ to: '/' }) })
  return (
    <>
      {save.error ? <ErrorNotice error={save.error} onRetry={leave} /> : null}
      <div className="flex items-center justify-between gap-4 text-faint">
        <p>{t('doThisLater')}</p>
        <Button look="quiet" busy={save.isPending} onClick={leave}>
          {ready ? t('continue') : t('skipForNow')}
        </Button>
      </div>
    </>
  )
}
