import type { DataImport, DataImportResult } from '../../../../server/api/v1/transfer/imports.ts'
import { useTakeOver } from '../../../api/system/transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
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
  const takeOver = useTakeOver()
  function close() {
    takeOver(result)
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
        <li>{t('addedOthers', { models: added.models, specs: added.specs, secrets: added.secrets })}</li>
        {result.settings > 0 ? <li>{t('takenSettings', { count: result.settings })}</li> : null}
        {kept.conversations > 0 ? <li>{t('keptConversations', { count: kept.conversations })}</li> : null}
      </ul>
      <PlainList title={t('settingsAreKept')} items={result.settings_kept} />
      <PlainList title={t('secretsHaveNoValue')} items={result.secrets_without_value} />
      <PlainList title={t('couldNotBeAdded')} items={result.problems} />
      {result.backup ? <p className="text-soft">{t('undoWithBackup')}</p> : null}
    </Dialog>
  )
}
