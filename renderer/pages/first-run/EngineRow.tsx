import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { EngineStatus, SandboxImageStatus, SystemStatus } from '../../../server/api/v1/system/system.ts'
import { recheckQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { EngineSteps } from '../../components/steps/EngineSteps.tsx'
import { formatBytes } from '../../state/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { CheckRow } from './CheckRow.tsx'
import { t } from './text.ts'

export function EngineRow({ system }: { system: SystemStatus | undefined }) {
  if (!system) return <CheckRow title={t('engine')} state="checking" detail={t('lookingForDocker')} />
  const { engine, sandbox_image: image } = system
  if (engine.state === 'unavailable') return <MissingEngine engine={engine} />
  return (
    <CheckRow
      title={t('engine')}
      state="ok"
      detail={t('engineIsReady', {
        name: engine.name,
        version: engine.version,
        cpus: engine.cpus,
        memory: formatBytes(engine.memory_bytes),
      })}
    >
      <ImageLine image={image} />
    </CheckRow>
  )
}

/** Rechecks by itself for as long as it shows. */
function MissingEngine({ engine }: { engine: Extract<EngineStatus, { state: 'unavailable' }> }) {
  const recheck = useQuery(recheckQuery(useClient(), useQueryClient()))
  return (
    <CheckRow title={t('engine')} state="missing" detail={engine.reason}>
      <EngineSteps steps={engine.steps} />
      <div className="flex items-center gap-3">
        <Button busy={recheck.isFetching} onClick={() => void recheck.refetch()}>
          {t('checkAgain')}
        </Button>
        <span className="text-sm text-faint">{t('checksEveryFewSeconds')}</span>
      </div>
    </CheckRow>
  )
}

function ImageLine({ image }: { image: SandboxImageStatus }) {
  if (image.state === 'failed') return <p className="text-bad">{t('imageNotLoaded', { reason: image.reason ?? '' })}</p>
  if (image.state !== 'loading') return null
  return (
    <div>
      <p className="tabular text-sm text-faint">
        {t('imageProgress', { done: formatBytes(image.done_bytes), total: formatBytes(image.total_bytes) })}
      </p>
      <Progress
        label={t('loadingSandboxImage')}
        value={{ done: image.done_bytes, total: image.total_bytes }}
        className="mt-1"
      />
    </div>
  )
}
