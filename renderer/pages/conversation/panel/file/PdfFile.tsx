import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { t } from '../files/text.ts'
import { useFileActs } from '../files/use-file-acts.ts'

/** What a PDF can do is kept out of the window, which has no plug-ins; the reader of the computer opens it. */
export function PdfFile({ path }: { path: string }) {
  const acts = useFileActs(() => {})
  return (
    <EmptyState
      title={t('pdfOutside')}
      action={
        <Button look="primary" onClick={() => acts.download(path, false)}>
          {t('download')}
        </Button>
      }
    >
      {t('pdfHint')}
    </EmptyState>
  )
}
