import { AlertDialog } from '../ui/overlay/AlertDialog.tsx'
import { t } from './text.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirm: () => void
}

/** Before a pause that ends programs. */
export function PauseQuestion(props: Props) {
  return (
    <AlertDialog {...props} title={t('pauseEndsPrograms')} confirm={t('pause')}>
      {t('pauseKeepsFolder')}
    </AlertDialog>
  )
}
