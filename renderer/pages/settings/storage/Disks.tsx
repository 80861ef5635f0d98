import { useQuery } from '@tanstack/react-query'
import type { DiskStatus } from '../../../../server/api/v1/system/storage.ts'
import { systemQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { formatBytes } from '../../../state/format.ts'
import { isSameDisk } from '../../../state/notice/disk-warning.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { t } from './text.ts'

/** The disk of the data folder, and the engine's where it is known to be another one. */
export function Disks({ disk }: { disk: DiskStatus | null }) {
  const { data: system } = useQuery(systemQuery(useClient()))
  const engine = system?.engine_disk ?? null
  const isSame = isSameDisk(disk, engine)
  if (!disk && !engine) return null
  return (
    <div className="flex flex-col gap-3">
      {disk ? <Disk name={isSame ? t('diskOfAtelier') : t('diskOfAtelierAlone')} disk={disk} /> : null}
      {engine && !isSame ? <Disk name={t('diskOfDockerEngine')} disk={engine} /> : null}
    </div>
  )
}

const STATES = {
  ok: null,
  low: { word: t('almostFull'), tone: 'wait', bar: 'bg-wait' },
  full: { word: t('full'), tone: 'bad', bar: 'bg-bad' },
} as const

function Disk({ name, disk }: { name: string; disk: DiskStatus }) {
  const { free_bytes, total_bytes, path } = disk
  const state = STATES[disk.state]
  const used = total_bytes > 0 ? Math.min(1, (total_bytes - free_bytes) / total_bytes) : 0
  return (
    <section aria-label={name}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-medium">{name}</h3>
        {state ? <Badge tone={state.tone}>{state.word}</Badge> : null}
        <span className="ms-auto tabular text-soft">
          {t('freeOfTotal', { free: formatBytes(free_bytes), total: formatBytes(total_bytes) })}
        </span>
      </div>
      <span aria-hidden className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-track">
        <span
          className={`block h-full rounded-full ${state?.bar ?? 'bg-accent'}`}
          style={{ width: `${used * 100}%` }}
        />
      </span>
      <p className="mt-1 font-mono text-xs wrap-anywhere text-faint">{path}</p>
    </section>
  )
}
