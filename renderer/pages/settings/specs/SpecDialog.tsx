import { useState } from 'react'
import { useSaveSpec } from '../../../api/specs.ts'
import { checkSpec, type SpecDraft, type SpecErrors } from '../../../state/settings/spec-draft.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { EngineField } from '../engines/EngineField.tsx'
import { CacheFields } from './CacheFields.tsx'
import { ClusterFields } from './ClusterFields.tsx'
import { MountFields } from './MountFields.tsx'
import { NetworkFields } from './NetworkFields.tsx'
import { RuntimeField } from './RuntimeField.tsx'
import { t } from './text.ts'

export interface SpecDialogProps {
  /** The spec that is edited; null adds one. */
  specId: string | null
  title: string
  initial: SpecDraft
  onClose: () => void
}

export function SpecDialog({ specId, title, initial, onClose }: SpecDialogProps) {
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  const save = useSaveSpec(specId)
  const checked = checkSpec(draft)
  const errors = tried && !checked.ok ? checked.errors : NO_ERRORS
  const change = (fields: Partial<SpecDraft>) => setDraft({ ...draft, ...fields })
  function submit() {
    setTried(true)
    if (!checked.ok) return
    save.mutate(checked.request, {
      onSuccess: spec => {
        notifyDone(
          specId === null ? t('titleIsAdded', { title: spec.title }) : t('titleIsChanged', { title: spec.title }),
        )
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={specId === null ? undefined : t('existingSandboxesAreUnaffected')}
      submit={specId === null ? t('add') : t('save')}
      onSubmit={submit}
      busy={save.isPending}
      error={save.error}
    >
      <MainFields draft={draft} errors={errors} onChange={change} />
      <LimitFields draft={draft} errors={errors} onChange={change} />
      <ClusterFields
        engineId={draft.engine}
        draft={draft.cluster}
        errors={errors.cluster}
        onChange={cluster => change({ cluster })}
      />
      <MountFields
        mounts={draft.mounts}
        errors={errors.mounts}
        error={errors.fields.mounts}
        onChange={mounts => change({ mounts })}
      />
      <CacheFields caches={draft.caches} onChange={caches => change({ caches })} />
      <InsideFields draft={draft} errors={errors} onChange={change} />
    </FormDialog>
  )
}

const NO_ERRORS: SpecErrors = { fields: {}, mounts: {}, cluster: {} }

interface FieldsProps {
  draft: SpecDraft
  errors: SpecErrors
  onChange: (fields: Partial<SpecDraft>) => void
}

function MainFields({ draft, errors: { fields }, onChange }: FieldsProps) {
  return (
    <>
      <Field label={t('name')} error={fields.title}>
        <Input value={draft.title} onValueChange={title => onChange({ title })} />
      </Field>
      <Field label={t('image')} hint={t('anyImageWithBinSh')} error={fields.image}>
        <Input value={draft.image} onValueChange={image => onChange({ image })} placeholder="node:22" mono />
      </Field>
      <Field label={t('dockerfile')} hint={t('buildsImage')} error={fields.dockerfile}>
        <Textarea
          value={draft.dockerfile}
          onValueChange={dockerfile => onChange({ dockerfile })}
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <NetworkFields draft={draft} error={fields.network} onChange={onChange} />
      <EngineField value={draft.engine} error={fields.engine} onChange={engine => onChange({ engine })} />
      <RuntimeField engineId={draft.engine} value={draft.runtime} onChange={runtime => onChange({ runtime })} />
    </>
  )
}

function LimitFields({ draft, errors: { fields }, onChange }: FieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('memoryGb')} error={fields.memory}>
        <Input
          inputMode="decimal"
          placeholder={t('default')}
          value={draft.memory}
          onValueChange={memory => onChange({ memory })}
        />
      </Field>
      <Field label={t('processors')} error={fields.cpus}>
        <Input
          inputMode="decimal"
          placeholder={t('default')}
          value={draft.cpus}
          onValueChange={cpus => onChange({ cpus })}
        />
      </Field>
      <Field label={t('processes')} error={fields.pids}>
        <Input
          inputMode="numeric"
          placeholder={t('default')}
          value={draft.pids}
          onValueChange={pids => onChange({ pids })}
        />
      </Field>
      <Field label={t('diskGb')} error={fields.disk}>
        <Input
          inputMode="decimal"
          placeholder={t('default')}
          value={draft.disk}
          onValueChange={disk => onChange({ disk })}
        />
      </Field>
    </div>
  )
}

function InsideFields({ draft, errors: { fields }, onChange }: FieldsProps) {
  return (
    <>
      <Field label={t('workingFolder')} hint={t('madeWhenItIsMissing')} error={fields.workingDir}>
        <Input
          value={draft.workingDir}
          onValueChange={workingDir => onChange({ workingDir })}
          placeholder="/workspace/project"
          mono
        />
      </Field>
      <Field label={t('environment')} hint={t('nameValue')} error={fields.env}>
        <Textarea
          value={draft.env}
          onValueChange={env => onChange({ env })}
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <Field label={t('command')} hint={t('whatKeepsSandboxRunning')} error={fields.command}>
        <Textarea
          rows={2}
          value={draft.command}
          onValueChange={command => onChange({ command })}
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
    </>
  )
}
