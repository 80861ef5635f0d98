import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { restoreCheckpoint } from '../../../../../server/api/v1/conversation/checkpoints.ts'
import { type Comparison, takeComparedFiles } from '../../../../../server/api/v1/conversation/comparisons.ts'
import { useRefresh } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../../ui/ErrorNotice.tsx'
import { Checkbox } from '../../../../ui/field/Checkbox.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { PathText } from '../../../../ui/PathText.tsx'
import { Change } from './ComparedList.tsx'
import { isConflict, isTakeable, takenAtFirst } from './takeable.ts'
import { t } from './text.ts'
import type { Comparing } from './use-comparison.ts'

/** More are counted: nobody reads them one by one. */
const MAX_SHOWN = 500

interface Props {
  comparing: Comparing
  comparison: Comparison
  onClose: () => void
}

/** Asks which files become in A what they are in B; what both have changed is taken only when it is chosen. */
export function TakeDialog({ comparing, comparison, onClose }: Props) {
  const { pair } = comparing
  const files = comparison.files.filter(isTakeable)
  const conflicts = files.filter(isConflict)
  const [paths, setPaths] = useState(() => takenAtFirst(files, comparison.has_common_files))
  const take = useTaking(comparing, onClose)
  const shown = [...conflicts, ...files.filter(file => !isConflict(file))]
  const toggle = (path: string) =>
    setPaths(paths.includes(path) ? paths.filter(known => known !== path) : [...paths, path])
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={t('takeTitle')}
      description={t('whatTakingDoes')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={take.isPending}
            disabledReason={paths.length === 0 ? t('chooseFiles') : null}
            onClick={() => take.mutate({ pair, version: comparison.version, paths })}
          >
            {t('takeFiles', { count: paths.length })}
          </Button>
        </>
      }
    >
      {take.error ? <ErrorNotice error={take.error} /> : null}
      {conflicts.length > 0 ? (
        <Notice tone="wait" what={t('conflicts', { count: conflicts.length })} meaning={t('conflictsAreChosen')} />
      ) : null}
      <ul aria-label={t('filesToTake')} className="flex flex-col gap-1">
        {shown.slice(0, MAX_SHOWN).map(file => (
          <li key={file.path} className="[content-visibility:auto]">
            <Checkbox checked={paths.includes(file.path)} onCheckedChange={() => toggle(file.path)}>
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="min-w-0 flex-1 break-all font-mono text-sm">
                  <PathText path={file.path} />
                </span>
                {isConflict(file) ? <Badge tone="wait">{t('changedInBoth')}</Badge> : null}
                {file.state === 'only_here' && file.there === null ? <Badge tone="bad">{t('isRemoved')}</Badge> : null}
                <span className="flex gap-2 text-sm tabular">
                  <Change letter="B" change={file.there} />
                </span>
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {shown.length > MAX_SHOWN ? (
        <p className="text-faint">{t('andMore', { count: shown.length - MAX_SHOWN })}</p>
      ) : null}
    </Dialog>
  )
}

interface Asked {
  pair: Comparing['pair']
  version: string
  paths: string[]
}

/** Takes them, and offers the way back. */
function useTaking({ list, pair }: Comparing, onDone: () => void) {
  const client = useClient()
  const refresh = useRefresh(pair[0])
  return useMutation({
    mutationFn: ({ pair: [conversation_id, other_conversation_id], ...body }: Asked) =>
      client.call(takeComparedFiles, { params: { conversation_id, other_conversation_id }, body }),
    onSettled: refresh,
    onSuccess: ({ before, files }) => {
      onDone()
      const params = { conversation_id: pair[0], checkpoint_id: before.id }
      const undo = () => client.call(restoreCheckpoint, { params }).then(refresh, notifyError)
      notifyDone(t('filesTaken', { count: files }), { label: t('undo'), act: () => void undo() })
    },
    onError: () => void list.refetch(),
  })
}
