import { FileInput, FileOutput } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { ExportDialog } from './ExportDialog.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { t } from './text.ts'

/** Everything in one file, for another computer. */
export function TransferGroup() {
  const input = useRef<HTMLInputElement>(null)
  const [exporting, setExporting] = useState(false)
  const [file, setFile] = useState<File | null>(null)
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
      {exporting && <ExportDialog onClose={() => setExporting(false)} />}
      {file && <ImportDialog key={file.name + file.lastModified} file={file} onClose={() => setFile(null)} />}
    </Group>
  )
}
