import { useTestModel } from '../../api/settings.ts'
import { LocalModels } from '../../components/LocalModels.tsx'
import { ModelField } from '../../components/ModelField.tsx'
import { ModelTestResult } from '../../components/ModelTestResult.tsx'
import { fieldText, withEdit } from '../../state/settings-form.ts'
import { Button } from '../../ui/Button.tsx'
import type { SettingsForm } from './form.ts'
import { KeyField } from './KeyField.tsx'
import { SettingField } from './SettingField.tsx'

export function ModelSection({ form }: { form: SettingsForm }) {
  const { stored, edits, errors, change } = form
  const model = fieldText(edits, stored, 'llm_model')
  const baseUrl = fieldText(edits, stored, 'llm_base_url')
  return (
    <>
      <ModelField
        value={model}
        hint="provider/model, or the bare name of a model at the address below."
        error={errors.llm_model}
        onChange={text => change(withEdit(edits, stored, 'llm_model', text))}
      />
      <SettingField
        form={form}
        field="llm_base_url"
        label="Address"
        hint="Only for a server of your own. It is reached from this machine: localhost works."
        placeholder="The provider’s own"
        mono
      />
      <KeyField form={form} />
      <TestModel model={model} baseUrl={baseUrl} apiKey={edits.key.kind === 'replace' ? edits.key.key.trim() : ''} />
      <section className="flex flex-col gap-2 border-t border-line pt-4">
        <h3 className="font-medium">On this machine</h3>
        <LocalModels
          chosen={model}
          onChoose={choice =>
            change(withEdit(withEdit(edits, stored, 'llm_model', choice.model), stored, 'llm_base_url', choice.baseUrl))
          }
        />
      </section>
    </>
  )
}

/** Asks with what stands in the fields, saved or not. */
function TestModel({ model, baseUrl, apiKey }: { model: string; baseUrl: string; apiKey: string }) {
  const test = useTestModel()
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        busy={test.isPending}
        disabledReason={model.trim() ? null : 'Choose a model first.'}
        onClick={() =>
          test.mutate({
            llm_model: model.trim(),
            llm_base_url: baseUrl.trim(),
            ...(apiKey ? { llm_api_key: apiKey } : {}),
          })
        }
      >
        Test
      </Button>
      <ModelTestResult pending={test.isPending} result={test.data} error={test.error} />
    </div>
  )
}
