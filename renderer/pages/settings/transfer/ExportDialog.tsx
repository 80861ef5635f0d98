import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newPassphrase } from '../../../../server/api/v1/transfer/exports.ts'
import { useClient } from '../../../api/session.ts'
import { exportQuery, useForgetExport, useStartExport } from '../../../api/system/transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Checkbox } from '../../../ui/field/Checkbox.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx'
import { Counting } from './Counting.tsx'
import { t } from './text.ts'
import { WrittenFile } from './WrittenFile.tsx'

/** Asks whether secrets go along, writes the file, and hands it over. Closing it gives up what is being written. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const [id, setId] = useState<string | null>(null)
  return id === null ? <Choices onBegun={setId} onClose={onClose} /> : <Writing id={id} onClose={onClose} />
}

function Choices({ onBegun, onClose }: { onBegun: (id: string) => void; onClose: () => void }) {
  const [withSecrets, setWithSecrets] = useState(false)
  const [withFolders, setWithFolders] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const [repeated, setRepeated] = useState('')
  const [tried, setTried] = useState(false)
  const start = useStartExport()
  const isWeak = withSecrets && !newPassphrase.safeParse(passphrase).success
  const differs = withSecrets && passphrase !== repeated
  function submit() {
    setTried(true)
    if (isWeak || differs) return
    const asked = { passphrase: withSecrets ? passphrase : null, working_folders: withFolders }
    start.mutate(asked, { onSuccess: ({ export_id }) => onBegun(export_id) })
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('exportTitle')}
      description={t('exportHolds')}
      submit={t('export')}
      onSubmit={submit}
      busy={start.isPending}
      error={start.error}
    >
      <p className="text-soft">{t(withFolders ? 'exportWithFoldersLeavesOut' : 'exportLeavesOut')}</p>
      <Checkbox checked={withFolders} onCheckedChange={setWithFolders}>
        {t('withWorkingFolders')}
      </Checkbox>
      {withFolders && <p className="text-soft text-sm">{t('aboutWorkingFolders')}</p>}
      <Checkbox checked={withSecrets} onCheckedChange={setWithSecrets}>
        {t('withSecretValues')}
      </Checkbox>
      {withSecrets && (
        <>
          <Field
            label={t('passphrase')}
            hint={t('passphraseHint')}
            error={tried && isWeak ? t('passphraseIsWeak') : undefined}
          >
            <Input type="password" value={passphrase} onValueChange={setPassphrase} />
          </Field>
          <Field label={t('repeatPassphrase')} error={tried && differs ? t('passphrasesDiffer') : undefined}>
            <Input type="password" value={repeated} onValueChange={setRepeated} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

function Writing({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error } = useQuery(exportQuery(useClient(), id))
  const forget = useForgetExport()
  function close() {
    forget(id)
    onClose()
  }
  if (data?.state === 'ready') return <WrittenFile written={data} onClose={close} />
  const problem = data?.state === 'failed' ? data.problem : null
  return (
    <Dialog
      open
      onOpenChange={close}
      title={t('exportTitle')}
      footer={<Button onClick={close}>{problem || error ? t('close') : t('cancel')}</Button>}
    >
      {problem ? <Notice what={problem} /> : null}
      {error ? <ErrorNotice error={error} /> : null}
      {!problem && !error ? <Counting label={t('exportTitle')} progress={data?.progress} /> : null}
    </Dialog>
  )
}
