import { useState } from 'react'
import { useFolderPreview } from '../../../../api/folder-apply.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../../ui/ErrorNotice.tsx'
import { RadioChoice } from '../../../../ui/field/RadioChoice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'
import { useApplyAsBranch } from './use-apply-as-branch.tsx'
import { useApplyToFiles } from './use-apply-to-files.tsx'

const WAYS = [
  { value: 'files', label: t('asUncommittedChanges'), detail: t('filesAreWritten') },
  { value: 'branch', label: t('asNewBranch'), detail: t('filesStayAsTheyAre') },
] as const

/** The ways back into the folder: into its files, or onto a branch of its repository. */
export function ApplyDialog({ onClose }: { onClose: () => void }) {
  const { id, info, status } = useOpenConversation()
  const preview = useFolderPreview(id)
  const [chosen, setChosen] = useState<'files' | 'branch'>('files')
  const ways = {
    files: useApplyToFiles(id, preview.data, onClose),
    branch: useApplyAsBranch(id, { preview: preview.data, title: info.title }, onClose),
  }
  const { data } = preview
  const isRepository = typeof data?.branch_name === 'string'
  const way = ways[isRepository ? chosen : 'files']
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={t('applyToFolderTitle')}
      description={
        <span className="break-all">
          <PathText path={data?.path ?? info.source_folder ?? ''} />
        </span>
      }
      footer={
        <>
          {way.aside}
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={way.isPending}
            disabledReason={data ? way.reasonAgainst : t('comparingWithFolder')}
            onClick={way.submit}
          >
            {way.label}
          </Button>
        </>
      }
    >
      {status === 'running' && <Notice tone="wait" what={t('agentStillWorks')} meaning={t('applyTakesFilesOfNow')} />}
      {way.error ? <ErrorNotice error={way.error} /> : null}
      {preview.error ? (
        <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} retrying={preview.isFetching} />
      ) : null}
      {preview.isPending ? <Skeleton label={t('comparingWithFolder')} lines={4} /> : null}
      {isRepository && (
        <RadioChoice aria-label={t('applyAs')} options={WAYS} value={chosen} onValueChange={setChosen} />
      )}
      {data ? way.content : null}
    </Dialog>
  )
}
