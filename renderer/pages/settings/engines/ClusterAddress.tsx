import type { EngineDraft, EngineErrors } from '../../../state/settings/engine-draft.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { t } from './text.ts'

interface Props {
  draft: EngineDraft
  errors: EngineErrors
  onChange: (draft: EngineDraft) => void
}

/** What there is to say of a cluster beside its context. */
export function ClusterAddress({ draft, errors, onChange }: Props) {
  return (
    <>
      <Field label={t('namespace')} error={errors.namespace}>
        <Input
          value={draft.namespace}
          onValueChange={namespace => onChange({ ...draft, namespace })}
          placeholder={t('namespaceOfContext')}
          mono
        />
      </Field>
      <Field label={t('ownImage')} hint={t('ownImageHint')} error={errors.image}>
        <Input
          value={draft.image}
          onValueChange={image => onChange({ ...draft, image })}
          placeholder="registry.example.org/atelier/sandbox@sha256:…"
          mono
        />
      </Field>
      <Field label={t('imagePullSecrets')} hint={t('imagePullSecretsHint')} error={errors.imagePullSecrets}>
        <Textarea
          rows={2}
          value={draft.imagePullSecrets}
          onValueChange={imagePullSecrets => onChange({ ...draft, imagePullSecrets })}
          placeholder="registry-login"
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
    </>
  )
}
