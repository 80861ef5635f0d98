import { useState } from 'react'
import { useSaveSpec } from '../../../api/specs.ts'
import { checkSpec, type SpecDraft, type SpecErrors } from '../../../state/settings/spec-draft.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { MountFields } from './MountFields.tsx'

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
        notifyDone(specId === null ? `${spec.title} is added.` : `${spec.title} is changed.`)
        onClose()
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={specId === null ? undefined : 'Sandboxes that are there keep what they were started with.'}
      submit={specId === null ? 'Add' : 'Save'}
      onSubmit={submit}
      busy={save.isPending}
      error={save.error}
    >
      <MainFields draft={draft} errors={errors} onChange={change} />
      <LimitFields draft={draft} errors={errors} onChange={change} />
      <MountFields
        mounts={draft.mounts}
        errors={errors.mounts}
        error={errors.fields.mounts}
        onChange={mounts => change({ mounts })}
      />
      <InsideFields draft={draft} errors={errors} onChange={change} />
    </FormDialog>
  )
}

const NO_ERRORS: SpecErrors = { fields: {}, mounts: {} }

interface FieldsProps {
  draft: SpecDraft
  errors: SpecErrors
  onChange: (fields: Partial<SpecDraft>) => void
}

const NETWORKS = [
  { value: 'full', label: 'Internet', hint: 'This machine and its network only where Settings › Privacy allows it.' },
  { value: 'none', label: 'None', hint: 'Nothing can be cloned, fetched or shown. The agent works all the same.' },
] as const

function MainFields({ draft, errors: { fields }, onChange }: FieldsProps) {
  return (
    <>
      <Field label="Name" error={fields.title}>
        <Input value={draft.title} onValueChange={title => onChange({ title })} />
      </Field>
      <Field
        label="Image"
        hint="Any image with /bin/sh, as docker pull names it. Nothing is built or added."
        error={fields.image}
      >
        <Input value={draft.image} onValueChange={image => onChange({ image })} placeholder="node:22" mono />
      </Field>
      <Field label="Network" error={fields.network}>
        <Select value={draft.network} options={NETWORKS} onValueChange={network => onChange({ network })} />
      </Field>
    </>
  )
}

function LimitFields({ draft, errors: { fields }, onChange }: FieldsProps) {
  return (
    <div className="grid grid-cols-3 gap-3">
      <Field label="Memory, GB" error={fields.memory}>
        <Input
          inputMode="decimal"
          placeholder="Default"
          value={draft.memory}
          onValueChange={memory => onChange({ memory })}
        />
      </Field>
      <Field label="Processors" error={fields.cpus}>
        <Input
          inputMode="decimal"
          placeholder="Default"
          value={draft.cpus}
          onValueChange={cpus => onChange({ cpus })}
        />
      </Field>
      <Field label="Processes" error={fields.pids}>
        <Input
          inputMode="numeric"
          placeholder="Default"
          value={draft.pids}
          onValueChange={pids => onChange({ pids })}
        />
      </Field>
    </div>
  )
}

function InsideFields({ draft, errors: { fields }, onChange }: FieldsProps) {
  return (
    <>
      <Field label="Working folder" hint="Made when it is missing." error={fields.workingDir}>
        <Input
          value={draft.workingDir}
          onValueChange={workingDir => onChange({ workingDir })}
          placeholder="/workspace/project"
          mono
        />
      </Field>
      <Field
        label="Environment"
        hint="NAME=value, one a line. No secrets: whoever inspects the container sees it. They belong under Secrets."
        error={fields.env}
      >
        <Textarea
          value={draft.env}
          onValueChange={env => onChange({ env })}
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <Field
        label="Command"
        hint="What keeps the sandbox running, one word a line. Empty waits for ever."
        error={fields.command}
      >
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
