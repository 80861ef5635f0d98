import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { EngineEntry } from '../../../../server/api/v1/system/engines.ts'
import { useRemoveEngine, watchedEnginesQuery } from '../../../api/sandbox/engines.ts'
import { useClient } from '../../../api/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { RemoveDialog } from '../form/RemoveDialog.tsx'
import { LoadingRows } from '../form/RowList.tsx'
import { AddEngine } from './AddEngine.tsx'
import { EngineRow } from './EngineRow.tsx'
import { RenameEngine } from './RenameEngine.tsx'
import { t } from './text.ts'

type Open = { kind: 'none' } | { kind: 'new' } | { kind: 'rename' | 'remove'; engine: EngineEntry }

/** Where sandboxes run. Kept at once, not with the other settings. */
export function EngineList() {
  const { data: engines, error, refetch, isFetching } = useQuery(watchedEnginesQuery(useClient()))
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  if (error && !engines) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!engines) return <LoadingRows label={t('loadingEngines')} action />
  return (
    <div className="flex flex-col gap-3">
      <Button className="self-start" icon={<Plus size={14} aria-hidden />} onClick={() => setOpen({ kind: 'new' })}>
        {t('addEngine')}
      </Button>
      <ul aria-label={t('engines')} className="rounded-md border border-line">
        {engines.map(engine => (
          <EngineRow
            key={engine.id}
            engine={engine}
            onRename={() => setOpen({ kind: 'rename', engine })}
            onRemove={() => setOpen({ kind: 'remove', engine })}
          />
        ))}
      </ul>
      {open.kind === 'new' && <AddEngine onClose={close} />}
      {open.kind === 'rename' && <RenameEngine engine={open.engine} onClose={close} />}
      {open.kind === 'remove' && <RemoveEngine engine={open.engine} onClose={close} />}
    </div>
  )
}

/** Sandboxes of an engine that answers are deleted first, one by one; the others can only be forgotten. */
function RemoveEngine({ engine, onClose }: { engine: EngineEntry; onClose: () => void }) {
  const { id, name, status, sandboxes } = engine
  const forgets = sandboxes > 0 && status.state !== 'ready'
  return (
    <RemoveDialog
      title={t('removeEngineTitle', { name })}
      confirm={forgets ? t('removeAndForget') : t('remove')}
      removal={useRemoveEngine(forgets)}
      id={id}
      done={t('nameIsRemoved', { name })}
      onClose={onClose}
    >
      {forgets ? t('sandboxesAreForgotten', { count: sandboxes }) : t('engineItselfStays')}
    </RemoveDialog>
  )
}
