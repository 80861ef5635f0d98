import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StorageStatus } from '../../../../server/api/v1/system/storage.ts'
import { useClient } from '../../../api/session.ts'
import { engineStorageQuery, type ReclaimableKind, useFreeSpace } from '../../../api/storage.ts'
import { formatBytes } from '../../../state/format.ts'
import { isSameDisk } from '../../../state/notice/disk-warning.ts'
import { RECLAIMABLE } from '../../../state/storage-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { t } from './text.ts'

interface Found {
  bytes: number
  items: number
  names: readonly string[]
  /** Where that is not Atelier's own disk. */
  onEngine: boolean
}

/** What can be deleted, with its size, each kind after a question of its own. */
export function FreeSpace({ storage }: { storage: StorageStatus }) {
  const engine = useQuery(engineStorageQuery(useClient()))
  const [asked, setAsked] = useState<ReclaimableKind | null>(null)
  const onEngine = !isSameDisk(storage.disk, engine.data?.disk ?? null)
  const found = new Map<ReclaimableKind, Found>([
    ...storage.reclaimable.map(
      ({ kind, bytes, files }) => [kind, { bytes, items: files, names: [], onEngine: false }] as const,
    ),
    ...(engine.data?.reclaimable ?? []).map(
      ({ kind, bytes, names }) => [kind, { bytes, items: names.length, names, onEngine }] as const,
    ),
  ])
  const kinds = (Object.keys(RECLAIMABLE) as ReclaimableKind[]).filter(kind => (found.get(kind)?.items ?? 0) > 0)
  const chosen = asked && found.get(asked)
  return (
    <div className="flex flex-col gap-3">
      <ul aria-label={t('whatCanBeDeleted')} className="rounded-md border border-line">
        {kinds.map(kind => (
          <Row key={kind} kind={kind} found={found.get(kind)} onAsk={() => setAsked(kind)} />
        ))}
        {engine.isPending ? (
          <li role="status" className="flex items-center gap-2 px-3 py-2 text-faint">
            <Spinner /> {t('measuring')}
          </li>
        ) : null}
        {kinds.length === 0 && !engine.isPending ? (
          <li className="px-3 py-4 text-center text-faint">{t('thereIsNothingHere')}</li>
        ) : null}
      </ul>
      {engine.error ? (
        <ErrorNotice error={engine.error} onRetry={() => void engine.refetch()} retrying={engine.isFetching} />
      ) : null}
      {asked && chosen ? <Question kind={asked} found={chosen} onClose={() => setAsked(null)} /> : null}
    </div>
  )
}

function Row({ kind, found, onAsk }: { kind: ReclaimableKind; found: Found | undefined; onAsk: () => void }) {
  const { title, detail, verb } = RECLAIMABLE[kind]
  if (!found) return null
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block">{title}</span>
        <span className="block text-sm text-faint">
          {detail(found.items)}
          {found.onEngine ? t('onDiskOfDockerEngine') : null}
        </span>
      </span>
      <span className="tabular text-soft">{formatBytes(found.bytes)}</span>
      <Button size="small" aria-label={t('verbTitle', { verb, title })} onClick={onAsk}>
        {t('verbAsks', { verb })}
      </Button>
    </li>
  )
}

const SHOWN_NAMES = 8

function Question({ kind, found, onClose }: { kind: ReclaimableKind; found: Found; onClose: () => void }) {
  const free = useFreeSpace()
  const { question, consequence, verb, done } = RECLAIMABLE[kind]
  const more = found.names.length - SHOWN_NAMES
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={question}
      confirm={t('verbAmount', { verb, bytes: formatBytes(found.bytes) })}
      busy={free.isPending}
      onConfirm={() =>
        free.mutate(kind, { onSuccess: () => notifyDone(done), onError: notifyError, onSettled: onClose })
      }
    >
      <p>{consequence}</p>
      {found.names.length > 0 ? (
        <ul className="mt-2 font-mono text-sm wrap-anywhere text-faint">
          {found.names.slice(0, SHOWN_NAMES).map(name => (
            <li key={name}>{name}</li>
          ))}
          {more > 0 ? <li className="font-sans">{t('andMore', { count: more })}</li> : null}
        </ul>
      ) : null}
    </AlertDialog>
  )
}
