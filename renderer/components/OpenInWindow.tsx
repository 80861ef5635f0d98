import { AppWindow } from 'lucide-react'
import { MenuItem } from '../ui/overlay/Menu.tsx'
import { notifyError } from '../ui/overlay/toast.ts'
import { t } from './text.ts'

/** Menu item that opens a conversation in a window of its own; nothing in a browser, which has no such windows. */
export function OpenInWindow({ id }: { id: string }) {
  const { atelier } = window
  if (!atelier) return null
  return (
    <MenuItem
      icon={<AppWindow size={13} aria-hidden />}
      onSelect={() => void atelier.openConversation(id).catch(notifyError)}
    >
      {t('openInWindow')}
    </MenuItem>
  )
}
