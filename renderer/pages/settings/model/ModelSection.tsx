import { useTestModel } from '../../../api/settings.ts'
import { LocalModels } from '../../../components/model/LocalModels.tsx'
import { ModelField } from '../../../components/model/ModelField.tsx'
import { ModelTestResult } from '../../../components/model/ModelTestResult.tsx'
import { fieldText, typedKey, withEdit } from '../../../state/settings/form.ts'
import { Button } from '../../../ui/Button.tsx'
import { UsageGroup } from '../about/UsageGroup.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { SettingField } from '../form/SettingField.tsx'
import { AskingGroup } from './AskingGroup.tsx'
import { KeySetting } from './KeySetting.tsx'
import { SavedModels } from './SavedModels.tsx'
import { t } from './text.ts'

export function ModelSection({ form }: { form: SettingsForm }) {
  const { stored, edits, errors, change } = form
  const model = fieldText(edits, stored, 'llm_model')
  const baseUrl = fieldText(edits, stored, 'llm_base_url')
  const { hint = '' } = SETTING_ENTRIES.llm_model
  return (
    <>
      <SettingAnchor name="llm_model">
        <ModelField
          value={model}
          hint={hint}
          error={errors.llm_model}
          onChange={text => change(withEdit(edits, stored, 'llm_model', text))}
        />
      </SettingAnchor>
      <SettingField form={form} field="llm_base_url" placeholder={t('providersOwn')} mono />
      <KeySetting form={form} field="llm_api_key" />
      <TestModel name={t('test')} model={model} baseUrl={baseUrl} apiKey={typedKey(edits, 'llm_api_key')} />
      <AskingGroup form={form} />
      <Group title={t('savedModels')} about={t('modelsUnderNames')}>
        <SettingAnchor name="saved_models">
          <SavedModels form={form} />
        </SettingAnchor>
      </Group>
      <OtherModel form={form} />
      <Group title={t('onThisMachine')}>
        <SettingAnchor name="local_models">
          <LocalModels
            chosen={model}
            onChoose={choice =>
              change(
                withEdit(withEdit(edits, stored, 'llm_model', choice.model), stored, 'llm_base_url', choice.baseUrl),
              )
            }
          />
        </SettingAnchor>
      </Group>
      <UsageGroup />
    </>
  )
}

/** Takes over while the first one is down. */
function OtherModel({ form }: { form: SettingsForm }) {
  const { stored, edits, errors, change } = form
  return (
    <Group title={t('fallback')}>
      <SettingAnchor name="llm_fallback_model">
        <ModelField
          label={SETTING_ENTRIES.llm_fallback_model.label}
          value={fieldText(edits, stored, 'llm_fallback_model')}
          hint={SETTING_ENTRIES.llm_fallback_model.hint ?? ''}
          error={errors.llm_fallback_model}
          onChange={text => change(withEdit(edits, stored, 'llm_fallback_model', text))}
        />
      </SettingAnchor>
      <SettingField form={form} field="llm_fallback_base_url" placeholder={t('providersOwn')} mono />
      <KeySetting form={form} field="llm_fallback_api_key" />
      <TestModel
        name={t('testFallbackModel')}
        model={fieldText(edits, stored, 'llm_fallback_model')}
        baseUrl={fieldText(edits, stored, 'llm_fallback_base_url')}
        apiKey={typedKey(edits, 'llm_fallback_api_key')}
      />
    </Group>
  )
}

interface TestModelProps {
  name: string
  model: string
  baseUrl: string
  /** As it is typed; '' asks with the stored one. */
  apiKey: string
}

/** Asks with what stands in the fields, saved or not. */
function TestModel({ name, model, baseUrl, apiKey }: TestModelProps) {
  const test = useTestModel()
  return (
    <div className="flex flex-col gap-2">
      <Button
        className="self-start"
        busy={test.isPending}
        disabledReason={model.trim() ? null : t('chooseModelFirst')}
        onClick={() =>
          test.mutate({
            llm_model: model.trim(),
            llm_base_url: baseUrl.trim(),
            ...(apiKey ? { llm_api_key: apiKey } : {}),
          })
        }
      >
        {name}
      </Button>
      <ModelTestResult pending={test.isPending} result={test.data} error={test.error} />
    </div>
  )
}
