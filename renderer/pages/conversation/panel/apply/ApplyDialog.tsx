import { useState } from 'react'
import type { FolderPreview } from '../../../../../server/api/v1/conversation/folder-apply.ts'
import { useApplyToFolder, useFolderPreview, useUndoFolderApply } from '../../../../api/folder-apply.ts'
import { applicable, type ChoiceByPath, openConflicts, toChoices } from '../../../../state/conversation/folder-apply.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'
import { ApplyFiles } from './ApplyFiles.tsx'

/** Shows what would be written into the folder, asks about each conflict, and takes the last apply back. */
export function ApplyDialog({ onClose }: { onClose: () => void }) {
  const { id, info, status } = useOpenConversation()
  const preview = useFolderPreview(id)
  const apply = useApplyToFolder(id)
  const undo = useUndoFolderApply(id, ({ restored }) => notifyDone(t('applyUndone', { count: restored.length })))
  const [choices, setChoices] = useState<ChoiceByPath>({})
  const { data } = preview
  const writes = data ? applicable(data.files, choices).length : 0
  function submit(files: FolderPreview['files']) {
    apply.mutate(
      { choices: toChoices(files, choices) },
      {
        onSuccess: ({ written, kept, refused }) => {
          onClose()
          const left = kept.length + refused.length
          notifyDone(t('filesApplied', { count: written.length, left }), { label: t('undo'), act: undo.mutate })
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={t('applyToFolderTitle')}
      description={<span className="break-all">{data?.path ?? info.source_folder}</span>}
      footer={
        <>
          {data?.undoable && (
            <>
              <Button busy={undo.isPending} onClick={() => undo.mutate()}>
                {t('undoLastApply')}
              </Button>
              <span className="flex-1" />
            </>
          )}
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={apply.isPending}
            disabledReason={data ? reasonAgainst(data.files, choices, writes) : t('comparingWithFolder')}
            onClick={() => data && submit(data.files)}
          >
            {t('applyFiles', { count: writes })}
          </Button>
        </>
      }
    >
      {status === 'running' && <Notice tone="wait" what={t('agentStillWorks')} meaning={t('applyTakesFilesOfNow')} />}
      {apply.error ? <ErrorNotice error={apply.error} /> : null}
      {preview.error ? (
        <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} retrying={preview.isFetching} />
      ) : null}
      {preview.isPending ? <Skeleton label={t('comparingWithFolder')} lines={4} /> : null}
      {data?.files.length === 0 && <EmptyState title={t('nothingToApply')}>{t('folderHasEverything')}</EmptyState>}
      {data && data.files.length > 0 && <ApplyFiles files={data.files} choices={choices} onChoose={setChoices} />}
    </Dialog>
  )
}

function reasonAgainst(files: FolderPreview['files'], choices: ChoiceByPath, writes: number): string | null {
  const open = openConflicts(files, choices).length
  if (open > 0) return t('chooseForConflicts', { count: open })
  return writes > 0 ? null : t('nothingToApply')
}
