import type { DataImport, DataImportResult } from '../../../../server/api/v1/transfer/imports.ts'
import { useReadEverything } from '../../../api/system/transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { type EntryName, SETTING_ENTRIES } from '../form/entries.ts'
import { PlainList } from '../specs/file/PlainList.tsx'
import { t } from './text.ts'

export interface ImportResultProps {
  ended: DataImport
  result: DataImportResult
  onClose: () => void
}

/** What was added, what was not, and how it is undone. */
export function ImportResult({ ended, result, onClose }: ImportResultProps) {
  const { added, kept } = result
  const others = [
    result.working_folders > 0 && t('countOfFolders', { count: result.working_folders }),
    added.models > 0 && t('countOfModels', { count: added.models, present: 0 }),
    added.specs > 0 && t('countOfSpecs', { count: added.specs, present: 0 }),
    added.secrets > 0 && t('countOfSecrets', { count: added.secrets, present: 0 }),
  ].filter(text => text !== false)
  const readEverything = useReadEverything()
  function close() {
    readEverything()
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title={ended.state === 'imported' ? t('isImported') : t('importHasEnded')}
      footer={
        <Button look="primary" onClick={close}>
          {t('close')}
        </Button>
      }
    >
      {ended.state === 'stopped' ? <p>{t('importWasStopped')}</p> : null}
      {ended.problem ? <Notice what={ended.problem} meaning={t('wholeConversationsStay')} /> : null}
      <ul className="list-disc ps-5">
        <li>{t('addedConversations', { count: added.conversations })}</li>
        {others.map(text => (
          <li key={text}>{t('addedOthers', { what: text })}</li>
        ))}
        {result.settings > 0 ? <li>{t('takenSettings', { count: result.settings })}</li> : null}
        {kept.conversations > 0 ? <li>{t('keptConversations', { count: kept.conversations })}</li> : null}
      </ul>
      <PlainList title={t('settingsAreKept')} items={result.settings_kept.map(labelOf)} />
      <PlainList title={t('secretsHaveNoValue')} items={result.secrets_without_value} />
      <PlainList title={t('couldNotBeAdded')} items={result.problems} />
      {result.backup ? <p className="text-soft">{t('undoWithBackup')}</p> : null}
    </Dialog>
  )
}

function labelOf(name: string): string {
  return name in SETTING_ENTRIES ? SETTING_ENTRIES[name as EntryName].label : name
}
