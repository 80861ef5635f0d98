import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { SandboxSpecInfo } from '../../../../server/api/v1/sandbox/specs.ts'
import { specsQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { useDefaultSpec, useDeleteSpec } from '../../../api/specs.ts'
import { draftOfSpec, EMPTY_SPEC } from '../../../state/settings/spec-draft.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { notifyError } from '../../../ui/overlay/toast.ts'
import { RemoveDialog } from '../form/RemoveDialog.tsx'
import { LoadingRows } from '../form/RowList.tsx'
import { ExportDialog } from './file/ExportDialog.tsx'
import { ImportButton } from './file/ImportButton.tsx'
import { SpecDialog } from './SpecDialog.tsx'
import { SpecRow } from './SpecRow.tsx'
import { t } from './text.ts'

type Open = { kind: 'none' } | { kind: 'new' } | { kind: 'edit' | 'copy' | 'export' | 'remove'; spec: SandboxSpecInfo }

/** What sandboxes start from. Kept at once, not with the other settings. */
export function SpecList() {
  const { data: specs, error, refetch, isFetching } = useQuery(specsQuery(useClient()))
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const makeDefault = useDefaultSpec()
  const close = () => setOpen({ kind: 'none' })
  if (error && !specs) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!specs) return <LoadingRows label={t('loadingSandboxSpecs')} action />
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Button icon={<Plus size={14} aria-hidden />} onClick={() => setOpen({ kind: 'new' })}>
          {t('addSpec')}
        </Button>
        <ImportButton />
      </div>
      <ul aria-label={t('sandboxSpecs')} className="rounded-md border border-line">
        {specs.map(spec => (
          <SpecRow
            key={spec.id}
            spec={spec}
            busy={makeDefault.isPending && makeDefault.variables === spec.id}
            onEdit={() => setOpen({ kind: 'edit', spec })}
            onCopy={() => setOpen({ kind: 'copy', spec })}
            onExport={() => setOpen({ kind: 'export', spec })}
            onRemove={() => setOpen({ kind: 'remove', spec })}
            onMakeDefault={() => makeDefault.mutate(spec.id, { onError: notifyError })}
          />
        ))}
      </ul>
      <OpenDialog open={open} onClose={close} />
    </div>
  )
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  switch (open.kind) {
    case 'none':
      return null
    case 'new':
      return <SpecDialog specId={null} title={t('addSandboxSpec')} initial={EMPTY_SPEC} onClose={onClose} />
    case 'edit':
      return (
        <SpecDialog
          specId={open.spec.id}
          title={t('editTitle', { title: open.spec.title })}
          initial={draftOfSpec(open.spec)}
          onClose={onClose}
        />
      )
    case 'copy':
      return (
        <SpecDialog
          specId={null}
          title={t('copyTitle', { title: open.spec.title })}
          initial={{ ...draftOfSpec(open.spec), title: t('titleCopy', { title: open.spec.title }) }}
          onClose={onClose}
        />
      )
    case 'export':
      return <ExportDialog spec={open.spec} onClose={onClose} />
    case 'remove':
      return <RemoveSpec spec={open.spec} onClose={onClose} />
  }
}

function RemoveSpec({ spec: { id, title, is_default }, onClose }: { spec: SandboxSpecInfo; onClose: () => void }) {
  return (
    <RemoveDialog
      title={t('removeSpecTitle', { title })}
      confirm={t('remove')}
      removal={useDeleteSpec()}
      id={id}
      done={t('titleIsRemoved', { title })}
      onClose={onClose}
    >
      {t('sandboxesThatWereStarted')}
      {is_default ? <> {t('itIsDefaultNewOnes')}</> : null}
    </RemoveDialog>
  )
}
