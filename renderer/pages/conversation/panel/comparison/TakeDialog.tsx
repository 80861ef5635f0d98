import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { restoreCheckpoint } from '../../../../../server/api/v1/conversation/checkpoints.ts'
import { type Comparison, takeComparedFiles } from '../../../../../server/api/v1/conversation/comparisons.ts'
import { useRefresh } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { FilesToTake } from './FilesToTake.tsx'
import { isConflict, isTakeable, takenAtFirst } from './takeable.ts'
import { t } from './text.ts'
import type { Comparing } from './use-comparison.ts'

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
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(takenAtFirst(files, comparison.has_common_files)),
  )
  const take = useTaking(comparing, onClose)
  // It may have been read again since.
  const paths = files.map(({ path }) => path).filter(path => chosen.has(path))
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
      <FilesToTake
        files={[...conflicts, ...files.filter(file => !isConflict(file))]}
        chosen={chosen}
        count={paths.length}
        onChoose={setChosen}
      />
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
