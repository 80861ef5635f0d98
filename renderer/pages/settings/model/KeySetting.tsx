import type { KeyField } from '../../../../server/api/v1/settings/key-fields.ts'
import type { SettingsReply } from '../../../../server/api/v1/settings/settings.ts'
import { useKeysInMemory } from '../../../api/settings.ts'
import { KeychainLocked } from '../../../components/banner/KeychainLocked.tsx'
import { type KeyEdit, keyEdit, withKey } from '../../../state/settings/form.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import type { SettingsForm } from '../form/form.ts'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

export interface KeySettingProps {
  form: SettingsForm
  field: KeyField
}

/** A key: whether one is stored, and how to replace or remove it. It is never read back. */
export function KeySetting({ form, field }: KeySettingProps) {
  const { stored, edits, change } = form
  const known = isKeySet(stored, field)
  const isSet = known ?? false
  const current = keyEdit(edits, field)
  const onEdit = (edit: KeyEdit) => change(withKey(edits, field, edit))
  const label = SETTING_ENTRIES[field].label
  if (known === null && current.kind === 'keep') {
    return (
      <SettingAnchor name={field}>
        <Field label={label} hint={hintOf(field, t('whetherKeyIsStored'))}>
          <KeychainLocked />
        </Field>
      </SettingAnchor>
    )
  }
  return (
    <SettingAnchor name={field}>
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
    </SettingAnchor>
  )
}

interface StoredKeyProps {
  label: string
  field: KeyField
  onEdit: (edit: KeyEdit) => void
}

function StoredKey({ label, field, onEdit }: StoredKeyProps) {
  return (
    <Field label={label} hint={hintOf(field, t('itIsStored'))}>
      <div className="flex h-8 items-center gap-2">
        <Badge tone="good">{t('set')}</Badge>
        <Button
          size="small"
          aria-label={t('replaceLabel', { label })}
          onClick={() => onEdit({ kind: 'replace', key: '' })}
        >
          {t('replace')}
        </Button>
        <Button
          size="small"
          look="quiet"
          aria-label={t('removeLabel', { label })}
          onClick={() => onEdit({ kind: 'clear' })}
        >
          {t('remove')}
        </Button>
      </div>
    </Field>
  )
}

function ClearedKey({ label, onKeep }: { label: string; onKeep: () => void }) {
  return (
    <Field label={label} hint={t('removedOnSave')}>
      <div className="flex h-8 items-center gap-2">
        <Badge tone="bad">{t('willBeRemoved')}</Badge>
        <Button size="small" aria-label={t('keepLabel', { label })} onClick={onKeep}>
          {t('keepIt')}
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
  const storage = useKeysInMemory() ? t('itIsKeptInMemory') : t('itGoesToKeychain')
  const keep = (
    <Button size="small" look="quiet" onClick={() => onEdit({ kind: 'keep' })}>
      {t('keepStoredKey')}
    </Button>
  )
  return (
    <Field
      label={SETTING_ENTRIES[field].label}
      hint={hintOf(field, storage)}
      error={error}
      aside={isSet ? keep : <Badge>{t('notSet')}</Badge>}
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

function hintOf(field: KeyField, storage: string): string {
  const { hint } = SETTING_ENTRIES[field]
  return hint ? `${hint} ${storage}` : storage
}

/** null while the keychain cannot be read. */
function isKeySet(stored: SettingsReply | null, field: KeyField): boolean | null {
  return stored ? stored[`${field}_set`] : false
}
