import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { STORED_KEY } from '../../../api/connection.ts'
import { useClient } from '../../../api/session.ts'
import { useEraseStorage } from '../../../api/storage.ts'
import { instructionsQuery } from '../../../api/system/instructions.ts'
import { NO_EDITS } from '../../../state/settings/form.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

/** Everything that Atelier has on this computer and its engines, for good. */
export function EraseGroup({ form }: { form: SettingsForm }) {
  const [isAsked, setAsked] = useState(false)
  // Before the dialog asks, so that nothing in it moves.
  useQuery(instructionsQuery(useClient()))
  return (
    <Group title={t('deleteAllData')} about={t('aboutDeleteAllData')}>
      <SettingAnchor name="delete_all_data">
        <Button look="danger" icon={<Trash2 size={14} aria-hidden />} onClick={() => setAsked(true)}>
          {t('deleteAllDataAsks')}
        </Button>
      </SettingAnchor>
      {isAsked && <EraseDialog form={form} onClose={() => setAsked(false)} />}
    </Group>
  )
}

function EraseDialog({ form, onClose }: { form: SettingsForm; onClose: () => void }) {
  const erase = useEraseStorage()
  const [text, setText] = useState('')
  const word = t('deleteAllDataWord')
  const isMeant = text.trim().toLocaleLowerCase() === word.toLocaleLowerCase()
  return (
    <AlertDialog
      open
      onOpenChange={() => {
        if (!erase.isPending) onClose()
      }}
      title={t('deleteAllDataQuestion')}
      confirm={t('deleteAllData')}
      busy={erase.isPending}
      disabledReason={isMeant ? null : t('typeWordFirst', { word })}
      onConfirm={() =>
        erase.mutate(undefined, {
          onSuccess: () => {
            // What was not saved is nothing to stay for.
            flushSync(() => form.change(NO_EDITS))
            beginAnew()
          },
        })
      }
    >
      <div className="flex flex-col gap-3">
        <p>{t('whatIsDeleted')}</p>
        <p>{t('whatStays')}</p>
        <CopiesThatStay />
        {erase.isPending ? (
          <div role="status" className="flex flex-col gap-1.5">
            <span>{t('deletingAllData')}</span>
            <Progress label={t('deletingAllData')} value={null} />
          </div>
        ) : (
          <Field label={t('typeWord', { word })} error={undefined}>
            <Input value={text} onValueChange={setText} autoComplete="off" />
          </Field>
        )}
        {erase.error ? <ErrorNotice error={erase.error} /> : null}
      </div>
    </AlertDialog>
  )
}

/** Files of the person's own home, which other programs read as well: only the person knows whether they still need them. */
function CopiesThatStay() {
  const { data } = useQuery(instructionsQuery(useClient()))
  const copies = data?.items.filter(({ state }) => state !== 'found') ?? []
  if (copies.length === 0) return null
  return (
    <div>
      <p>{t('instructionsStay')}</p>
      <ul aria-label={t('instructionsStay')} className="text-sm">
        {copies.map(({ program, imported_as }) => (
          <li key={program} className="break-words">
            <code>{imported_as}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The key of a browser's tab stays: it is the service's word that this one may speak to it. */
function beginAnew(): void {
  localStorage.clear()
  for (const name of Object.keys(sessionStorage)) if (name !== STORED_KEY) sessionStorage.removeItem(name)
  location.hash = '#/'
  location.reload()
}
