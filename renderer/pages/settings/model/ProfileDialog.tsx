import { type ReactNode, useState } from 'react'
import { useRenameProfile, useSaveProfile } from '../../../api/profiles.ts'
import { nameProblem, proposedName } from '../../../state/settings/profile-name.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { t } from './text.ts'

export interface SaveProfileProps {
  /** The model of the settings. */
  model: string
  names: readonly string[]
  onClose: () => void
}

export function SaveProfile({ model, names, onClose }: SaveProfileProps) {
  const save = useSaveProfile()
  return (
    <NameDialog
      title={t('saveThisModel')}
      description={t.rich('savedModelHint', {
        model,
        mono: chunks => <span className="font-mono text-sm wrap-anywhere">{chunks}</span>,
      })}
      submit={t('save')}
      start={proposedName(model, names)}
      taken={names}
      act={save}
      done={name => t('modelIsSavedAsName', { name })}
      onClose={onClose}
    />
  )
}

export function RenameProfile({
  name,
  names,
  onClose,
}: {
  name: string
  names: readonly string[]
  onClose: () => void
}) {
  const rename = useRenameProfile(name)
  return (
    <NameDialog
      title={t('renameSavedModel')}
      submit={t('rename')}
      start={name}
      taken={names.filter(other => other !== name)}
      act={rename}
      done={next => t('nameIsCalledNextNow', { name, next })}
      onClose={onClose}
    />
  )
}

interface NameDialogProps {
  title: string
  description?: ReactNode
  submit: string
  start: string
  taken: readonly string[]
  act: ReturnType<typeof useSaveProfile>
  done: (name: string) => string
  onClose: () => void
}

function NameDialog({ title, description, submit, start, taken, act, done, onClose }: NameDialogProps) {
  const [name, setName] = useState(start)
  const [tried, setTried] = useState(false)
  const problem = nameProblem(name, taken)
  function go() {
    setTried(true)
    if (problem) return
    act.mutate(name.trim(), {
      onSuccess: () => {
        notifyDone(done(name.trim()))
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={description}
      submit={submit}
      onSubmit={go}
      busy={act.isPending}
      error={act.error}
    >
      <Field label={t('name')} error={tried ? problem : undefined}>
        <Input value={name} onValueChange={setName} placeholder="fast" mono />
      </Field>
    </FormDialog>
  )
}
