import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AvailableEngine } from '../../../../server/api/v1/system/engines.ts'
import { availableEnginesQuery, useAddEngine } from '../../../api/sandbox/engines.ts'
import { useClient } from '../../../api/session.ts'
import {
  checkEngine,
  choiceOf,
  chosenOf,
  EMPTY_ENGINE,
  type EngineDraft,
  type EngineErrors,
  withChosen,
} from '../../../state/settings/engine-draft.ts'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { ClusterAddress } from './ClusterAddress.tsx'
import { t } from './text.ts'

const NONE: readonly AvailableEngine[] = []

export function AddEngine({ onClose }: { onClose: () => void }) {
  const { data: available = NONE, error } = useQuery(availableEnginesQuery(useClient()))
  const [typed, setDraft] = useState<EngineDraft | null>(null)
  const [tried, setTried] = useState(false)
  const add = useAddEngine()
  const draft = typed ?? withChosen(EMPTY_ENGINE, available[0] ? choiceOf(available[0]) : '', available)
  const checked = checkEngine(draft, available)
  const errors: EngineErrors = tried && !checked.ok ? checked.errors : {}
  function submit() {
    setTried(true)
    if (!checked.ok) return
    add.mutate(checked.request, {
      onSuccess: ({ name }) => {
        notifyDone(t('nameIsAdded', { name }))
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('addEngine')}
      description={t('onlyMachinesYouTrust')}
      submit={t('add')}
      onSubmit={submit}
      busy={add.isPending}
      error={add.error}
    >
      {error ? <ErrorNotice error={error} /> : null}
      <Field label={t('engine')} hint={available.length === 0 ? t('noOtherEngineHere') : undefined}>
        <Select
          value={draft.chosen}
          options={[
            ...available.map(each => ({ value: choiceOf(each), label: each.name, hint: each.host })),
            { value: '', label: t('anotherAddress') },
          ]}
          onValueChange={chosen => setDraft(withChosen(draft, chosen, available))}
        />
      </Field>
      {chosenOf(draft, available)?.address.kind === 'kubernetes' && (
        <ClusterAddress draft={draft} errors={errors} onChange={setDraft} />
      )}
      {draft.chosen === '' && <AddressFields draft={draft} errors={errors} onChange={setDraft} />}
      <Field label={t('name')} error={errors.name}>
        <Input value={draft.name} onValueChange={name => setDraft({ ...draft, name })} maxLength={100} />
      </Field>
    </FormDialog>
  )
}

interface AddressFieldsProps {
  draft: EngineDraft
  errors: EngineErrors
  onChange: (draft: EngineDraft) => void
}

function AddressFields({ draft, errors, onChange }: AddressFieldsProps) {
  return (
    <>
      <Field label={t('address')} hint={t('sshOrTcp')} error={errors.host}>
        <Input
          value={draft.host}
          onValueChange={host => onChange({ ...draft, host })}
          placeholder="ssh://me@build.example.org"
          mono
        />
      </Field>
      {draft.host.trim().startsWith('tcp:') && (
        <Field label={t('certificates')} hint={t('folderOfKeys')} error={errors.certificates}>
          <Input
            value={draft.certificates}
            onValueChange={certificates => onChange({ ...draft, certificates })}
            placeholder="/home/me/.docker"
            mono
          />
        </Field>
      )}
    </>
  )
}
