import { useState } from 'react'
import { useSaveSettings, useTestModel } from '../../api/settings.ts'
import { KeychainLocked } from '../../components/banner/KeychainLocked.tsx'
import { ExternalLink } from '../../components/ExternalLink.tsx'
import { ModelField } from '../../components/model/ModelField.tsx'
import { ModelTestResult } from '../../components/model/ModelTestResult.tsx'
import {
  choiceProblem,
  choiceSettings,
  EMPTY_CHOICE,
  type ModelChoice,
  PROVIDERS,
} from '../../state/settings/model-choice.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { t } from './text.ts'

/** `keyIsSet`: null while the keychain cannot be read. */
export function ProviderForm({ keyIsSet, onSaved }: { keyIsSet: boolean | null; onSaved: () => void }) {
  const [choice, setChoice] = useState(EMPTY_CHOICE)
  const test = useTestModel()
  const save = useSaveSettings()
  const problem = choiceProblem(choice, keyIsSet)
  const { llm_model = null, llm_base_url = null, llm_api_key = null } = choiceSettings(choice)

  function change(fields: Partial<ModelChoice>) {
    setChoice({ ...choice, ...fields })
    test.reset()
  }
  return (
    <form
      aria-label={t('modelProvider')}
      className="flex flex-col gap-3"
      onSubmit={event => {
        event.preventDefault()
        if (!problem) save.mutate(choiceSettings(choice), { onSuccess: onSaved })
      }}
    >
      <ProviderFields choice={choice} keyIsSet={keyIsSet} onChange={change} />
      <div className="flex gap-2">
        <Button
          disabledReason={problem}
          busy={test.isPending}
          onClick={() => test.mutate({ llm_model, llm_base_url: llm_base_url ?? '', llm_api_key })}
        >
          {t('test')}
        </Button>
        <Button type="submit" look="primary" disabledReason={problem} busy={save.isPending}>
          {t('save')}
        </Button>
      </div>
      <ModelTestResult pending={test.isPending} result={test.data} error={test.error} />
      {save.error ? <ErrorNotice error={save.error} /> : null}
    </form>
  )
}

interface ProviderFieldsProps {
  choice: ModelChoice
  keyIsSet: boolean | null
  onChange: (fields: Partial<ModelChoice>) => void
}

function ProviderFields({ choice, keyIsSet, onChange }: ProviderFieldsProps) {
  const { provider, model, baseUrl, key } = choice
  const compatible = provider === 'compatible'
  const keysAt = PROVIDERS.find(({ value }) => value === provider)?.keysAt
  return (
    <div className="grid gap-3 narrow:grid-cols-2">
      <Field label={t('provider')}>
        <Select value={provider} options={PROVIDERS} onValueChange={next => onChange({ provider: next, model: '' })} />
      </Field>
      <ModelField value={model} onChange={next => onChange({ model: next })} {...(compatible ? {} : { provider })} />
      {compatible ? (
        <Field label={t('address')} hint={t('itIsReached')}>
          <Input
            value={baseUrl}
            onValueChange={next => onChange({ baseUrl: next })}
            placeholder="http://localhost:8000/v1"
            mono
          />
        </Field>
      ) : null}
      <Field
        label={t('key')}
        hint={keysAt && keyIsSet !== null ? <ExternalLink href={keysAt}>{t('getKey')}</ExternalLink> : hintOf(keyIsSet)}
        className={compatible ? '' : 'narrow:col-span-2'}
      >
        {keyIsSet === null ? (
          <KeychainLocked />
        ) : (
          <Input
            type="password"
            value={key}
            onValueChange={next => onChange({ key: next })}
            placeholder={keyIsSet ? t('keyIsStored') : ''}
            mono
          />
        )}
      </Field>
    </div>
  )
}

function hintOf(keyIsSet: boolean | null): string {
  return keyIsSet === null ? t('keyMayBeStoredAlready') : t('onlyIfServerAsks')
}
