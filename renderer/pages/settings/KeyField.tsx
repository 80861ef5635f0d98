import type { KeyEdit } from '../../state/settings-form.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import type { SettingsForm } from './form.ts'

/** The model key: whether one is stored, and how to replace or clear it. It is never read back. */
export function KeyField({ form }: { form: SettingsForm }) {
  const { stored, edits, errors, change } = form
  const isSet = stored?.llm_api_key_set ?? false
  const edit = (key: KeyEdit) => change({ ...edits, key })
  if (edits.key.kind === 'clear') return <ClearedKey onKeep={() => edit({ kind: 'keep' })} />
  if (edits.key.kind === 'keep' && isSet) {
    return (
      <Field label="Key" hint="It is stored, and is never shown again.">
        <div className="flex h-8 items-center gap-2">
          <Badge tone="good">Set</Badge>
          <Button size="small" onClick={() => edit({ kind: 'replace', key: '' })}>
            Replace
          </Button>
          <Button size="small" look="quiet" onClick={() => edit({ kind: 'clear' })}>
            Clear
          </Button>
        </div>
      </Field>
    )
  }
  const keep = (
    <Button size="small" look="quiet" onClick={() => edit({ kind: 'keep' })}>
      Keep the stored key
    </Button>
  )
  return (
    <Field
      label="Key"
      hint="It goes to the keychain and nowhere else. A sandbox never sees it."
      error={errors.llm_api_key}
      aside={isSet ? keep : <Badge>Not set</Badge>}
    >
      <Input
        type="password"
        mono
        autoFocus={isSet}
        value={edits.key.kind === 'replace' ? edits.key.key : ''}
        onValueChange={key => edit(key === '' && !isSet ? { kind: 'keep' } : { kind: 'replace', key })}
      />
    </Field>
  )
}

function ClearedKey({ onKeep }: { onKeep: () => void }) {
  return (
    <Field label="Key" hint="It is removed when you save.">
      <div className="flex h-8 items-center gap-2">
        <Badge tone="bad">Will be cleared</Badge>
        <Button size="small" onClick={onKeep}>
          Keep it
        </Button>
      </div>
    </Field>
  )
}
