import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SystemStatus } from '../../server/api/v1/system/system.ts'
import { systemQuery } from '../api/queries.ts'
import { useClient } from '../api/session.ts'
import { formatBytes } from '../state/format.ts'
import { Tooltip } from '../ui/overlay/Tooltip.tsx'
import { Progress } from '../ui/Progress.tsx'
import { t } from './text.ts'

/** The engine in two lines: its name, and what runs on it. */
export function EngineIndicator({ onOpen }: { onOpen?: (() => void) | undefined }) {
  const { data: system } = useQuery(systemQuery(useClient()))
  if (!system) return <div className="h-11" />
  const { engine, sandbox_image: image } = system
  const ready = engine.state === 'ready'
  return (
    <Link
      to="/settings/$section"
      params={{ section: 'about' }}
      onClick={onOpen}
      className="mt-1 flex min-h-11 items-start gap-2 rounded-md px-2 py-1.5 text-soft hover:bg-hover"
    >
      <span className="flex h-4 w-4 shrink-0 items-center justify-center">
        <Dot ready={ready} />
      </span>
      <span className="min-w-0 flex-1 text-sm">
        <span className="block truncate text-ink">
          {ready ? `${engine.name} ${engine.version}` : t('engineNotAvailable')}
        </span>
        <span className="block truncate text-faint">{detail(system)}</span>
        {image.state === 'loading' ? (
          <Progress
            label={t('loadingSandboxImage')}
            value={{ done: image.done_bytes, total: image.total_bytes }}
            className="mt-1"
          />
        ) : null}
      </span>
    </Link>
  )
}

function detail({ engine, sandbox_image: image, running_sandboxes: running }: SystemStatus): string {
  if (engine.state !== 'ready') return t('atelierKeepsLooking')
  if (image.state === 'loading') {
    return t('loadingImage', { done: formatBytes(image.done_bytes), total: formatBytes(image.total_bytes) })
  }
  return t('runningAndMemory', { count: running, memory: formatBytes(engine.memory_bytes) })
}

/** The engine where there is room for a dot only. */
export function EngineDot() {
  const { data: system } = useQuery(systemQuery(useClient()))
  if (!system) return null
  const { engine } = system
  const name =
    engine.state === 'ready' ? `${engine.name} ${engine.version}: ${detail(system)}` : t('engineNotAvailable')
  return (
    <Tooltip text={name} side="right">
      <Link
        to="/settings/$section"
        params={{ section: 'about' }}
        aria-label={name}
        className="flex size-7 items-center justify-center rounded-md hover:bg-hover"
      >
        <Dot ready={engine.state === 'ready'} />
      </Link>
    </Tooltip>
  )
}

/** A full dot or an open ring: told apart without the colour. */
function Dot({ ready }: { ready: boolean }) {
  return <span className={ready ? 'size-2 rounded-full bg-good' : 'size-2.5 rounded-full border-2 border-bad'} />
}
