import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { EngineStatus, SandboxImageStatus, SystemStatus } from '../../../server/api/v1/system/system.ts'
import { recheckQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { EngineSteps } from '../../components/EngineSteps.tsx'
import { count, formatBytes } from '../../state/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { CheckRow } from './CheckRow.tsx'

export function EngineRow({ system }: { system: SystemStatus | undefined }) {
  if (!system)
    return <CheckRow title="Engine" state="checking" detail="Looking for Docker, Podman, Colima and OrbStack…" />
  const { engine, sandbox_image: image } = system
  if (engine.state === 'unavailable') return <MissingEngine engine={engine} />
  return (
    <CheckRow
      title="Engine"
      state="ok"
      detail={`${engine.name} ${engine.version}, ${count(engine.cpus, 'processor')}, ${formatBytes(engine.memory_bytes)} memory.`}
    >
      <ImageLine image={image} />
    </CheckRow>
  )
}

/** Rechecks by itself for as long as it shows. */
function MissingEngine({ engine }: { engine: Extract<EngineStatus, { state: 'unavailable' }> }) {
  const recheck = useQuery(recheckQuery(useClient(), useQueryClient()))
  return (
    <CheckRow title="Engine" state="missing" detail={engine.reason}>
      <EngineSteps steps={engine.steps} />
      <div className="flex items-center gap-3">
        <Button busy={recheck.isFetching} onClick={() => void recheck.refetch()}>
          Check again
        </Button>
        <span className="text-sm text-faint">Atelier looks again every few seconds.</span>
      </div>
    </CheckRow>
  )
}

function ImageLine({ image }: { image: SandboxImageStatus }) {
  if (image.state === 'failed') return <p className="text-bad">The sandbox image could not be loaded. {image.reason}</p>
  if (image.state !== 'loading') return null
  return (
    <div>
      <p className="tabular text-sm text-faint">
        Loading the sandbox image, {formatBytes(image.done_bytes)} of {formatBytes(image.total_bytes)}
      </p>
      <Progress
        label="Loading the sandbox image"
        value={{ done: image.done_bytes, total: image.total_bytes }}
        className="mt-1"
      />
    </div>
  )
}
