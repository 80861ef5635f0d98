import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fileActs } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { joined, nameIn, parentOf, shownName } from '../../../../state/files/tree.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Field } from '../../../../ui/field/Field.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

/** What gets a name: something new in a folder, or what has another one. */
export type Naming = { kind: 'file' | 'directory'; folder: string } | { kind: 'rename'; path: string }

interface Props {
  naming: Naming
  onDone: () => void
  onClose: () => void
}

export function NameDialog({ naming, onDone, onClose }: Props) {
  const { id, askLate } = useOpenConversation()
  const acts = fileActs(useClient(), id)
  const isRename = naming.kind === 'rename'
  const folder = isRename ? parentOf(naming.path) : naming.folder
  const [name, setName] = useState(isRename ? nameIn(naming.path) : '')
  const act = useMutation({
    mutationFn: () =>
      naming.kind === 'rename'
        ? acts.move(naming.path, joined(folder, name))
        : acts.create(joined(folder, name), naming.kind),
    onSuccess: ({ path }) => {
      onDone()
      onClose()
      if (naming.kind === 'file') askLate({ file: path })
    },
  })
  const isSame = isRename && name === nameIn(naming.path)
  const titles = { file: t('newFile'), directory: t('newFolder'), rename: t('rename') }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isRename ? t('renameTo', { name: shownName(nameIn(naming.path)) }) : titles[naming.kind]}
      description={t('inFolder', { folder: shownName(folder) })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            type="submit"
            form="name-of-file"
            busy={act.isPending}
            disabledReason={name === '' || isSame ? t('name') : null}
          >
            {isRename ? t('rename') : t('create')}
          </Button>
        </>
      }
    >
      <form
        id="name-of-file"
        className="flex flex-col gap-3"
        onSubmit={event => {
          event.preventDefault()
          if (name !== '' && !isSame && !act.isPending) act.mutate()
        }}
      >
        <Field label={t('name')} hint={isRename ? undefined : t('nameHint')}>
          <Input mono autoFocus value={name} onValueChange={setName} />
        </Field>
        {act.error ? <ErrorNotice error={act.error} /> : null}
      </form>
    </Dialog>
  )
}
