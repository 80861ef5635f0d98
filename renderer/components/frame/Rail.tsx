import { Link } from '@tanstack/react-router'
import { Boxes, PanelLeftOpen, Search, Settings, SquarePen } from 'lucide-react'
import type { ReactElement } from 'react'
import { buttonClass, IconButton } from '../../ui/Button.tsx'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'
import { EngineDot } from '../EngineIndicator.tsx'
import { t } from '../text.ts'

export interface RailProps {
  onOpen: () => void
  onSearch: () => void
  className: string
}

const LINK = `${buttonClass('quiet')} size-7 px-0 data-[status=active]:bg-selected data-[status=active]:text-ink`

/** What is left of the sidebar when it is folded, or the window is narrow. */
export function Rail({ onOpen, onSearch, className }: RailProps) {
  return (
    <nav
      aria-label="Atelier"
      className={`flex w-11 shrink-0 flex-col items-center gap-1 border-e border-line py-2.5 ${className}`}
    >
      <IconButton
        label={t('showConversations')}
        shortcut="Mod+B"
        icon={<PanelLeftOpen size={16} aria-hidden />}
        onClick={onOpen}
      />
      <RailLink label={t('newConversation')}>
        <Link to="/" className={LINK} aria-label={t('newConversation')}>
          <SquarePen size={16} aria-hidden />
        </Link>
      </RailLink>
      <IconButton label={t('search')} shortcut="Mod+K" icon={<Search size={16} aria-hidden />} onClick={onSearch} />
      <span className="flex-1" />
      <RailLink label={t('sandboxes')}>
        <Link to="/sandboxes" className={LINK} aria-label={t('sandboxes')}>
          <Boxes size={16} aria-hidden />
        </Link>
      </RailLink>
      <RailLink label={t('settings')}>
        <Link to="/settings/$section" params={{ section: 'model' }} className={LINK} aria-label={t('settings')}>
          <Settings size={16} aria-hidden />
        </Link>
      </RailLink>
      <EngineDot />
    </nav>
  )
}

function RailLink({ label, children }: { label: string; children: ReactElement }) {
  return (
    <Tooltip text={label} side="right">
      {children}
    </Tooltip>
  )
}
