import { useState } from 'react'
import type { EngineEntry } from '../../../../server/api/v1/system/engines.ts'
import { useRenameEngine } from '../../../api/sandbox/engines.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { t } from './text.ts'

export function RenameEngine({ engine, onClose }: { engine: EngineEntry; onClose: () => void }) {
  const [name, setName] = useState(engine.name)
  const [tried, setTried] = useState(false)
  const rename = useRenameEngine(engine.id)
  function submit() {
    setTried(true)
    if (name.trim()) rename.mutate(name.trim(), { onSuccess: onClose })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('renameTitle', { name: engine.name })}
      submit={t('save')}
      onSubmit={submit}
      busy={rename.isPending}
      error={rename.error}
    >
      <Field label={t('name')} error={tried && !name.trim() ? t('giveItName') : undefined}>
        <Input value={name} onValueChange={setName} maxLength={100} />
      </Field>
    </FormDialog>
  )
}
