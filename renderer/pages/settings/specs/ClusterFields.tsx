import { useQuery } from '@tanstack/react-query'
import { enginesQuery } from '../../../api/sandbox/engines.ts'
import { useClient } from '../../../api/session.ts'
import type { ClusterDraft, ClusterErrors } from '../../../state/settings/cluster-draft.ts'
import { Checkbox } from '../../../ui/field/Checkbox.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { t } from './text.ts'

interface Props {
  engineId: string
  draft: ClusterDraft
  errors: ClusterErrors
  onChange: (draft: ClusterDraft) => void
}

/** Only where the engine is a cluster. */
export function ClusterFields({ engineId, draft, errors, onChange }: Props) {
  const { data: engines = [] } = useQuery(enginesQuery(useClient()))
  if (engines.find(({ id }) => id === engineId)?.kind !== 'kubernetes') return null
  const change = (fields: Partial<ClusterDraft>) => onChange({ ...draft, ...fields })
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-medium">{t('onTheCluster')}</legend>
      <p className="text-faint text-sm">{t('whatClusterKeeps')}</p>
      <Field label={t('nodeLabels')} hint={t('nodeLabelsHint')} error={errors.nodeSelector}>
        <Textarea
          rows={2}
          value={draft.nodeSelector}
          onValueChange={nodeSelector => change({ nodeSelector })}
          placeholder="disktype=ssd"
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <Field label={t('toleratedTaints')} hint={t('toleratedTaintsHint')} error={errors.tolerations}>
        <Textarea
          rows={2}
          value={draft.tolerations}
          onValueChange={tolerations => change({ tolerations })}
          placeholder="dedicated=agents:NoSchedule"
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <Field label={t('imagePullSecrets')} hint={t('imagePullSecretsHint')} error={errors.imagePullSecrets}>
        <Textarea
          rows={2}
          value={draft.imagePullSecrets}
          onValueChange={imagePullSecrets => change({ imagePullSecrets })}
          placeholder="registry-login"
          spellCheck={false}
          className="font-mono text-sm"
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('storageClass')} error={errors.storageClass}>
          <Input
            value={draft.storageClass}
            onValueChange={storageClass => change({ storageClass })}
            placeholder={t('default')}
            mono
          />
        </Field>
        <Field label={t('volumeGb')} error={errors.volume}>
          <Input
            inputMode="decimal"
            value={draft.volume}
            onValueChange={volume => change({ volume })}
            placeholder={t('default')}
          />
        </Field>
      </div>
      <Field label={t('endsAfterHours')} hint={t('endsAfterHoursHint')} error={errors.deadline}>
        <Input
          inputMode="decimal"
          value={draft.deadline}
          onValueChange={deadline => change({ deadline })}
          placeholder={t('never')}
        />
      </Field>
      <Checkbox checked={draft.pausesWhenIdle} onCheckedChange={pausesWhenIdle => change({ pausesWhenIdle })}>
        {t('pauseWhenIdle')}
      </Checkbox>
    </fieldset>
  )
}
