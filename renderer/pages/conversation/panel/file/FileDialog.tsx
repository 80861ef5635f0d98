import { type KeyboardEvent, useState } from 'react'
import { shownAs } from '../../../../state/files/kind.ts'
import { nameIn, shownName } from '../../../../state/files/tree.ts'
import { Button } from '../../../../ui/Button.tsx'
import { AlertDialog } from '../../../../ui/overlay/AlertDialog.tsx'
import { FullDialog } from '../../../../ui/overlay/FullDialog.tsx'
import { PathText } from '../../../../ui/PathText.tsx'
import { t } from '../files/text.ts'
import { useFileActs } from '../files/use-file-acts.ts'
import { ImageFile } from './ImageFile.tsx'
import { PdfFile } from './pdf/PdfFile.tsx'
import { TextFile } from './TextFile.tsx'

/** One file in the whole window, as what it is. What was not saved holds it open until somebody decides. */
export function FileDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [isDirty, setDirty] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [asText, setAsText] = useState(false)
  const acts = useFileActs(() => {})
  const shown = asText ? 'text' : shownAs(path)
  const name = shownName(nameIn(path))
  const isDrawing = /\.svg$/i.test(path)
  function onKeyDown(event: KeyboardEvent) {
    if ((event.ctrlKey || event.metaKey) && event.key === 's') event.preventDefault()
  }
  return (
    <FullDialog
      title={name}
      onClose={() => (isDirty ? setLeaving(true) : onClose())}
      onKeyDown={onKeyDown}
      toolbar={
        <>
          <span className="min-w-0 truncate font-mono text-faint text-sm">
            <PathText path={path} />
          </span>
          {isDrawing && (
            <Button size="small" disabledReason={isDirty ? t('notSaved') : null} onClick={() => setAsText(!asText)}>
              {asText ? t('showImage') : t('showText')}
            </Button>
          )}
          <Button size="small" onClick={() => acts.attach(path)}>
            {t('attach')}
          </Button>
          <Button size="small" onClick={() => acts.download(path, false)}>
            {t('download')}
          </Button>
        </>
      }
    >
      {shown === 'image' && <ImageFile path={path} />}
      {shown === 'pdf' && <PdfFile path={path} />}
      {shown === 'text' && <TextFile path={path} onDirty={setDirty} />}
      <AlertDialog
        open={isLeaving}
        onOpenChange={setLeaving}
        title={t('leaveTitle')}
        confirm={t('leave')}
        cancel={t('stay')}
        onConfirm={onClose}
      >
        {t('leaveText', { name })}
      </AlertDialog>
    </FullDialog>
  )
}
