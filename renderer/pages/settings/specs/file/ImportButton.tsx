import { FileInput } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { t } from './text.ts'

export function ImportButton() {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  return (
    <>
      <Button icon={<FileInput size={14} aria-hidden />} onClick={() => input.current?.click()}>
        {t('import')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".tar,application/x-tar"
        aria-label={t('fileOfSpec')}
        onChange={({ target }) => {
          setFile(target.files?.[0] ?? null)
          target.value = ''
        }}
      />
      {file && (
        <ImportDialog
          file={file}
          onChooseAnother={() => {
            setFile(null)
            input.current?.click()
          }}
          onClose={() => setFile(null)}
        />
      )}
    </>
  )
}
