import { FileInput, FileOutput, FolderInput, ScrollText } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLookIntoOpenHands } from '../../../api/system/transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { BegunImport, ImportDialog } from './ImportDialog.tsx'
import { InstructionsDialog } from './InstructionsDialog.tsx'
import { t } from './text.ts'

/** Everything in one file, for another computer, and what another program has kept on this one. */
export function TransferGroup() {
  const input = useRef<HTMLInputElement>(null)
  const [exporting, setExporting] = useState(false)
  const [showsInstructions, setShowsInstructions] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const openHands = useLookIntoOpenHands()
  async function chooseFolder() {
    const folder = await window.atelier?.chooseFolder()
    if (folder) openHands.mutate(folder)
  }
  return (
    <Group title={t('exportAndImport')} about={t('aboutTransfer')}>
      <SettingAnchor name="data_transfer">
        <div className="flex flex-wrap gap-2">
          <Button icon={<FileOutput size={14} aria-hidden />} onClick={() => setExporting(true)}>
            {t('exportAsks')}
          </Button>
          <Button icon={<FileInput size={14} aria-hidden />} onClick={() => input.current?.click()}>
            {t('importAsks')}
          </Button>
          <Button
            icon={<FolderInput size={14} aria-hidden />}
            busy={openHands.isPending}
            onClick={() => openHands.mutate(null)}
          >
            {t('importFromOpenHands')}
          </Button>
          <Button icon={<ScrollText size={14} aria-hidden />} onClick={() => setShowsInstructions(true)}>
            {t('importInstructions')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".zip,application/zip"
            aria-label={t('exportedFile')}
            onChange={({ target }) => {
              setFile(target.files?.[0] ?? null)
              target.value = ''
            }}
          />
        </div>
      </SettingAnchor>
      {openHands.error ? <ErrorNotice error={openHands.error} /> : null}
      {showsInstructions && <InstructionsDialog onClose={() => setShowsInstructions(false)} />}
      {exporting && <ExportDialog onClose={() => setExporting(false)} />}
      {openHands.data && (
        <BegunImport
          key={openHands.data.import_id}
          id={openHands.data.import_id}
          name={openHands.data.file_name}
          onClose={openHands.reset}
          {...(window.atelier && { onOtherFolder: chooseFolder })}
        />
      )}
      {file && <ImportDialog key={file.name + file.lastModified} file={file} onClose={() => setFile(null)} />}
    </Group>
  )
}
