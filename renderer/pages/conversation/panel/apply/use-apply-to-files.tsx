import { useState } from 'react'
import type { FolderPreview } from '../../../../../server/api/v1/conversation/folder/apply.ts'
import { useApplyToFolder, useUndoFolderApply } from '../../../../api/folder-apply.ts'
import { applicable, type ChoiceByPath, openConflicts, toChoices } from '../../../../state/conversation/folder-apply.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { t } from '../text.ts'
import { ApplyFiles } from './ApplyFiles.tsx'
import type { Way } from './way.ts'

/** Shows what would be written into the folder, asks about each conflict, and takes the last apply back. */
export function useApplyToFiles(id: string, preview: FolderPreview | undefined, onClose: () => void): Way {
  const apply = useApplyToFolder(id)
  const undo = useUndoFolderApply(id, ({ restored }) => notifyDone(t('applyUndone', { count: restored.length })))
  const [choices, setChoices] = useState<ChoiceByPath>({})
  const files = preview?.files ?? []
  const writes = applicable(files, choices).length
  const submit = () =>
    apply.mutate(
      { choices: toChoices(files, choices) },
      {
        onSuccess: ({ id: applied, written, kept, refused }) => {
          onClose()
          const left = kept.length + refused.length
          notifyDone(t('filesApplied', { count: written.length, left }), {
            label: t('undo'),
            act: () => undo.mutate(applied),
          })
        },
      },
    )
  return {
    content:
      files.length > 0 ? (
        <ApplyFiles files={files} choices={choices} onChoose={setChoices} />
      ) : (
        <EmptyState title={t('nothingToApply')}>{t('folderHasEverything')}</EmptyState>
      ),
    aside: preview?.undoable && (
      <>
        <Button busy={undo.isPending} onClick={() => undo.mutate(undefined)}>
          {t('undoLastApply')}
        </Button>
        <span className="flex-1" />
      </>
    ),
    label: t('applyFiles', { count: writes }),
    submit,
    isPending: apply.isPending,
    error: apply.error,
    reasonAgainst: reasonAgainst(files, choices, writes),
  }
}

function reasonAgainst(files: FolderPreview['files'], choices: ChoiceByPath, writes: number): string | null {
  const open = openConflicts(files, choices).length
  if (open > 0) return t('chooseForConflicts', { count: open })
  return writes > 0 ? null : t('nothingToApply')
}
