import { type OptionField, optionText, withOption } from '../../../state/settings/model-options.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

const FIELDS: readonly (readonly [field: OptionField, label: string, hint?: string])[] = [
  ['temperature', t('temperature'), t('zeroToTwo')],
  ['top_p', t('topP'), t('zeroToOne')],
  ['top_k', t('topK')],
  ['seed', t('seed')],
  ['reasoning_effort', t('reasoningEffort'), t('lowMediumHigh')],
  ['max_output_tokens', t('tokensOfAnswer')],
  ['max_input_tokens', t('contextWindow'), t('contextAtLeast')],
  ['timeout', t('timeOutInSeconds'), t('timeOutWhenEmpty')],
  ['num_retries', t('attempts'), t('attemptsWhenEmpty')],
  ['input_cost_per_token', t('pricePerMillionInput'), t('budgetNeedsPrice')],
  ['output_cost_per_token', t('pricePerMillionOutput')],
]

/** What the provider is asked for beside the words. */
export function AskingGroup({ form: { stored, edits, errors, change } }: { form: SettingsForm }) {
  return (
    <Group title={t('howItIsAsked')} about={t('emptyLeavesToProvider')}>
      <SettingAnchor name="llm_options">
        <div className="grid grid-cols-2 gap-4">
          {FIELDS.map(([field, label, hint]) => (
            <Field key={field} label={label} hint={hint} error={errors[`llm_options.${field}`]}>
              <Input
                {...(field === 'reasoning_effort' ? {} : { inputMode: 'decimal' as const })}
                value={optionText(edits, stored, field)}
                onValueChange={text => change({ ...edits, options: withOption(edits, stored, field, text) })}
              />
            </Field>
          ))}
        </div>
      </SettingAnchor>
    </Group>
  )
}
