import { useState } from 'react'
import type { SecretInfo } from '../../../../server/api/v1/settings/secrets.ts'
import { useCreateSecret, useUpdateSecret } from '../../../api/secrets.ts'
import { useKeysInMemory } from '../../../api/settings.ts'
import {
  changeOf,
  EMPTY_SECRET,
  newSecretOf,
  type SecretDraft,
  type SecretErrors,
  secretErrors,
} from '../../../state/settings/secret-draft.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { t } from './text.ts'

export function NewSecret({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY_SECRET)
  const [tried, setTried] = useState(false)
  const create = useCreateSecret()
  const storage = useKeysInMemory() ? t('itIsKeptInMemory') : t('itGoesToKeychain')
  const errors = secretErrors(draft, { taken: names, valueIsSet: false })
  function submit() {
    setTried(true)
    if (Object.keys(errors).length > 0) return
    create.mutate(newSecretOf(draft), {
      onSuccess: () => {
        notifyDone(t('nameIsStored', { name: draft.name.trim() }))
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('addSecret')}
      submit={t('add')}
      onSubmit={submit}
      busy={create.isPending}
      error={create.error}
    >
      <SecretFields draft={draft} errors={tried ? errors : {}} onChange={setDraft} valueHint={storage} />
    </FormDialog>
  )
}

export function EditSecret({ secret, onClose }: { secret: SecretInfo; onClose: () => void }) {
  const [draft, setDraft] = useState<SecretDraft>({ ...secret, value: '' })
  const update = useUpdateSecret(secret.name)
  const errors = secretErrors(draft, { taken: [], valueIsSet: true })
  function submit() {
    if (Object.keys(errors).length > 0) return
    update.mutate(changeOf(draft), {
      onSuccess: () => {
        notifyDone(t('secretIsChanged'))
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('editSecret')}
      submit={t('save')}
      onSubmit={submit}
      busy={update.isPending}
      error={update.error}
    >
      <SecretFields draft={draft} errors={errors} onChange={setDraft} valueHint={t('emptyKeepsStoredValue')} />
    </FormDialog>
  )
}

interface SecretFieldsProps {
  draft: SecretDraft
  errors: SecretErrors
  onChange: (draft: SecretDraft) => void
  valueHint: string
}

function SecretFields({ draft, errors, onChange, valueHint }: SecretFieldsProps) {
  return (
    <>
      <Field label={t('name')} hint={t('asCommandNames')} error={errors.name}>
        <Input value={draft.name} onValueChange={name => onChange({ ...draft, name })} placeholder="NPM_TOKEN" mono />
      </Field>
      <Field label={t('value')} hint={valueHint} error={errors.value}>
        <Input type="password" value={draft.value} onValueChange={value => onChange({ ...draft, value })} mono />
      </Field>
      <Field label={t('description')} hint={t('modelReads')} error={errors.description}>
        <Textarea value={draft.description} onValueChange={description => onChange({ ...draft, description })} />
      </Field>
    </>
  )
}
