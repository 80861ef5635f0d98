import { Link } from '@tanstack/react-router'
import { Boxes, PanelLeftClose, Search, Settings, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass, IconButton } from '../../ui/Button.tsx'
import { EngineIndicator } from '../EngineIndicator.tsx'
import { Mark } from '../Mark.tsx'
import { t } from '../text.ts'
import { ConversationList } from './ConversationList.tsx'

export interface SidebarProps {
  onFold: () => void
  onSearch: () => void
  /** Called when something was chosen: the sheet closes then. */
  onLeave?: () => void
}

export function Sidebar({ onFold, onSearch, onLeave }: SidebarProps) {
  return (
    <div className="flex min-w-0 flex-1 flex-col bg-canvas">
      <div className="flex h-12 shrink-0 items-center gap-2 pe-2 ps-4">
        <Mark />
        <span className="flex-1 font-semibold">{t('atelier')}</span>
        <IconButton
          label={t('searchEverything')}
          shortcut="Mod+K"
          icon={<Search size={15} aria-hidden />}
          onClick={onSearch}
        />
        <IconButton
          label={t('hideConversations')}
          shortcut="Mod+B"
          icon={<PanelLeftClose size={15} aria-hidden />}
          onClick={onFold}
        />
      </div>
      <div className="px-3 pb-2">
        <Link to="/" onClick={onLeave} className={`${buttonClass('secondary', 'large')} w-full justify-start! px-2.5!`}>
          <SquarePen size={15} aria-hidden />
          {t('newConversation')}
        </Link>
      </div>
      <ConversationList onOpen={onLeave} />
      <nav aria-label={t('pages')} className="flex shrink-0 flex-col gap-px border-t border-line p-2">
        <SidebarLink to="/sandboxes" icon={<Boxes size={15} aria-hidden />} onClick={onLeave}>
          {t('sandboxes')}
        </SidebarLink>
        <SidebarLink to="/settings" icon={<Settings size={15} aria-hidden />} onClick={onLeave}>
          {t('settings')}
        </SidebarLink>
        <EngineIndicator onOpen={onLeave} />
      </nav>
    </div>
  )
}

interface SidebarLinkProps {
  to: '/sandboxes' | '/settings'
  icon: ReactNode
  children: ReactNode
  onClick: (() => void) | undefined
}

function SidebarLink({ to, icon, children, onClick }: SidebarLinkProps) {
  return (
    <Link
      to={to}
      onClick={onClick}
      className="flex h-7 items-center gap-2 rounded-md px-2 text-soft hover:bg-hover hover:text-ink data-[status=active]:bg-selected data-[status=active]:text-ink"
    >
      {icon}
      {children}
    </Link>
  )
}
