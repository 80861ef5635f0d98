import { useState } from 'react'
import type { DataContents, DataImport } from '../../../../server/api/v1/transfer/imports.ts'
import { useStartImport } from '../../../api/system/transfer.ts'
import { formatMoment } from '../../../state/format.ts'
import { Checkbox } from '../../../ui/field/Checkbox.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { PlainList } from '../specs/file/PlainList.tsx'
import { ChangedSettings } from './ChangedSettings.tsx'
import { t } from './text.ts'

export interface FileContentsProps {
  id: string
  name: string
  source: DataImport['source']
  contents: DataContents
  onClose: () => void
}

/** What stands in a file, or in a folder of OpenHands, before anything of it is stored. */
export function FileContents({ id, name, source, contents, onClose }: FileContentsProps) {
  const { counts, present, app_version: version, exported_at } = contents
  const [settings, setSettings] = useState(false)
  const [withSecrets, setWithSecrets] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [tried, setTried] = useState(false)
  const start = useStartImport(id)
  const needsPassphrase = withSecrets && source === 'file'
  const lacksPassphrase = needsPassphrase && passphrase === ''
  function submit() {
    setTried(true)
    if (lacksPassphrase) return
    start.mutate({
      settings,
      secrets: withSecrets && !needsPassphrase,
      passphrase: needsPassphrase ? passphrase : null,
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('fileToImport', { name })}
      {...(version !== null &&
        exported_at !== null && {
          description: t('versionAndMoment', { version, moment: formatMoment(Date.parse(exported_at)) }),
        })}
      submit={t('add')}
      onSubmit={submit}
      busy={start.isPending}
      error={start.error}
    >
      <ul className="list-disc ps-5">
        <li>{t('countOfConversations', { count: counts.conversations, present: present.conversations })}</li>
        <li>{t('countOfEvents', { count: counts.events })}</li>
        {contents.working_folders > 0 && <li>{t('countOfFolders', { count: contents.working_folders })}</li>}
        {counts.models > 0 && <li>{t('countOfModels', { count: counts.models, present: present.models })}</li>}
        {counts.specs > 0 && <li>{t('countOfSpecs', { count: counts.specs, present: present.specs })}</li>}
        {counts.secrets > 0 && <li>{t('countOfSecrets', { count: counts.secrets, present: present.secrets })}</li>}
      </ul>
      {contents.unreadable_events > 0 ? <p>{t('unreadableEvents', { count: contents.unreadable_events })}</p> : null}
      <PlainList title={t('doesNotComeOver')} items={contents.problems} />
      <p className="text-soft">{t('presentIsKept')}</p>
      {contents.has_settings && (
        <Checkbox checked={settings} onCheckedChange={setSettings}>
          {t('takeSettings')}
        </Checkbox>
      )}
      {settings && <ChangedSettings settings={contents.settings} />}
      {contents.has_secret_values && (
        <Checkbox checked={withSecrets} onCheckedChange={setWithSecrets}>
          {t('takeSecretValues')}
        </Checkbox>
      )}
      {needsPassphrase && (
        <Field label={t('passphrase')} error={tried && lacksPassphrase ? t('enterPassphrase') : undefined}>
          <Input type="password" value={passphrase} onValueChange={setPassphrase} />
        </Field>
      )}
    </FormDialog>
  )
}
