import { Field } from '../../ui/field/Field.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { t } from './text.ts'

/** The command that says whether an attempt is good; '' is none. */
export function AttemptCheck({ check, onChange }: { check: string; onChange: (check: string) => void }) {
  return (
    <Field label={t('check')} hint={t('whatCheckIs')}>
      <Input value={check} onValueChange={onChange} mono placeholder={t('checkExample')} />
    </Field>
  )
}
