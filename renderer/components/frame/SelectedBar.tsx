import { Archive, Trash2, X } from 'lucide-react'
import { IconButton } from '../../ui/Button.tsx'
import { AlertDialog } from '../../ui/overlay/AlertDialog.tsx'
import { t } from '../text.ts'
import type { Several } from './use-several.ts'

interface SelectedBarProps {
  several: Several
  onClear: () => void
}

/** Above the list while conversations are selected: how many, and what can be done with them. */
export function SelectedBar({ several, onClear }: SelectedBarProps) {
  const { count } = several
  return (
    <>
      {count > 0 && (
        <div role="toolbar" aria-label={t('selectedConversations')} className="flex items-center gap-1 px-3 pb-2">
          <span className="flex-1 text-sm text-soft">{t('countSelected', { count })}</span>
          <IconButton
            label={t('archiveSeveral', { count })}
            icon={<Archive size={14} aria-hidden />}
            onClick={several.archive}
          />
          <IconButton
            label={t('deleteSeveral', { count })}
            shortcut="Delete"
            icon={<Trash2 size={14} aria-hidden />}
            onClick={several.askDelete}
          />
          <IconButton label={t('selectNone')} shortcut="Esc" icon={<X size={14} aria-hidden />} onClick={onClear} />
        </div>
      )}
      <span role="status" className="sr-only">
        {count > 0 && t('countSelected', { count })}
      </span>
      <AlertDialog
        open={several.asksDelete}
        onOpenChange={open => !open && several.cancelDelete()}
        title={t('deleteTheseConversations', { count })}
        confirm={t('delete')}
        onConfirm={several.delete}
      >
        {t('whatIsDeletedOfSeveral')}
      </AlertDialog>
    </>
  )
}
