import { useQuery } from '@tanstack/react-query'
import type { SettingsReply } from '../../../server/api/settings.ts'
import { systemQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { type KeyEdit, type KeyField, keyEdit, withKey } from '../../state/settings-form.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { SETTING_ENTRIES } from './entries.ts'
import type { SettingsForm } from './form.ts'
import { Place } from './Place.tsx'

export interface KeySettingProps {
  form: SettingsForm
  field: KeyField
}

/** A key: whether one is stored, and how to replace or remove it. It is never read back. */
export function KeySetting({ form, field }: KeySettingProps) {
  const { stored, edits, change } = form
  const isSet = isKeySet(stored, field)
  const current = keyEdit(edits, field)
  const onEdit = (edit: KeyEdit) => change(withKey(edits, field, edit))
  const label = SETTING_ENTRIES[field].label
  return (
    <Place name={field}>
      {current.kind === 'clear' ? <ClearedKey label={label} onKeep={() => onEdit({ kind: 'keep' })} /> : null}
      {current.kind === 'keep' && isSet ? <StoredKey label={label} field={field} onEdit={onEdit} /> : null}
      {current.kind === 'replace' || (current.kind === 'keep' && !isSet) ? (
        <NewKey
          field={field}
          value={current.kind === 'replace' ? current.key : ''}
          isSet={isSet}
          error={form.errors[field]}
          onEdit={onEdit}
        />
      ) : null}
    </Place>
  )
}

interface StoredKeyProps {
  label: string
  field: KeyField
  onEdit: (edit: KeyEdit) => void
}

function StoredKey({ label, field, onEdit }: StoredKeyProps) {
  return (
    <Field label={label} hint={hintOf(field, 'It is stored, and is never shown again.')}>
      <div className="flex h-8 items-center gap-2">
        <Badge tone="good">Set</Badge>
        <Button size="small" aria-label={`Replace: ${label}`} onClick={() => onEdit({ kind: 'replace', key: '' })}>
          Replace
        </Button>
        <Button size="small" look="quiet" aria-label={`Remove: ${label}`} onClick={() => onEdit({ kind: 'clear' })}>
          Remove
        </Button>
      </div>
    </Field>
  )
}

function ClearedKey({ label, onKeep }: { label: string; onKeep: () => void }) {
  return (
    <Field label={label} hint="It is removed when you save.">
      <div className="flex h-8 items-center gap-2">
        <Badge tone="bad">Will be removed</Badge>
        <Button size="small" aria-label={`Keep: ${label}`} onClick={onKeep}>
          Keep it
        </Button>
      </div>
    </Field>
  )
}

interface NewKeyProps {
  field: KeyField
  value: string
  isSet: boolean
  error: string | undefined
  onEdit: (edit: KeyEdit) => void
}

function NewKey({ field, value, isSet, error, onEdit }: NewKeyProps) {
  const keep = (
    <Button size="small" look="quiet" onClick={() => onEdit({ kind: 'keep' })}>
      Keep the stored key
    </Button>
  )
  return (
    <Field
      label={SETTING_ENTRIES[field].label}
      hint={hintOf(field, 'It goes to the keychain and nowhere else. A sandbox never sees it.')}
      error={error}
      aside={isSet ? keep : <NoKeyBadge />}
    >
      <Input
        type="password"
        mono
        autoFocus={isSet}
        value={value}
        onValueChange={key => onEdit(key === '' && !isSet ? { kind: 'keep' } : { kind: 'replace', key })}
      />
    </Field>
  )
}

/** Of a locked keychain nobody knows what is in it. */
function NoKeyBadge() {
  const { data: system } = useQuery(systemQuery(useClient()))
  return system?.keychain.state === 'locked' ? <Badge tone="wait">Keychain locked</Badge> : <Badge>Not set</Badge>
}

function hintOf(field: KeyField, storage: string): string {
  const { hint } = SETTING_ENTRIES[field]
  return hint ? `${hint} ${storage}` : storage
}

function isKeySet(stored: SettingsReply | null, field: KeyField): boolean {
  return stored?.[`${field}_set`] ?? false
}
