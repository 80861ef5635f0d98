import { useState } from 'react'
import type { FolderPreview } from '../../../../../server/api/v1/conversation/folder/apply.ts'
import { useFolderBranch, useUndoFolderBranch } from '../../../../api/folder-apply.ts'
import { Field } from '../../../../ui/field/Field.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { Textarea } from '../../../../ui/field/Textarea.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { t } from '../text.ts'
import type { Way } from './way.ts'

/** Asks for the branch and the message of its commit, and takes the branch back. */
export function useApplyAsBranch(
  id: string,
  { preview, title }: { preview: FolderPreview | undefined; title: string | null },
  onClose: () => void,
): Way {
  const create = useFolderBranch(id)
  const undo = useUndoFolderBranch(id, ({ branch }) => notifyDone(t('branchRemoved', { branch })))
  const [edited, setEdited] = useState<{ name?: string; message?: string }>({})
  const name = edited.name ?? preview?.branch_name ?? ''
  const message = edited.message ?? title ?? ''
  const submit = () =>
    create.mutate(
      { name: name.trim(), message: message.trim() },
      {
        onSuccess: ({ branch }) => {
          onClose()
          notifyDone(t('branchMade', { branch }), { label: t('undo'), act: () => undo.mutate(branch) })
        },
      },
    )
  return {
    content: (
      <>
        <Field label={t('branchName')}>
          <Input mono value={name} onValueChange={next => setEdited({ ...edited, name: next })} />
        </Field>
        <Field label={t('commitMessage')} hint={t('commitAboveCopy')}>
          <Textarea value={message} onValueChange={next => setEdited({ ...edited, message: next })} />
        </Field>
      </>
    ),
    aside: null,
    label: t('makeBranch'),
    submit,
    isPending: create.isPending,
    error: create.error,
    reasonAgainst: name.trim() === '' ? t('giveBranchName') : message.trim() === '' ? t('giveCommitMessage') : null,
  }
}
