import { Outlet, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { usePreference } from '../../state/settings/preference.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { Sheet } from '../../ui/overlay/Dialog.tsx'
import { Banners } from '../banner/Banners.tsx'
import { DownloadNotices } from '../DownloadNotices.tsx'
import { LanguageSetting } from '../LanguageSetting.tsx'
import { Notifier } from '../Notifier.tsx'
import { CommandPalette } from '../palette/CommandPalette.tsx'
import { ReplayDialog } from '../ReplayDialog.tsx'
import { ShortcutSheet } from '../ShortcutSheet.tsx'
import { t } from '../text.ts'
import { Rail } from './Rail.tsx'
import { Sidebar } from './Sidebar.tsx'
import { useLeftOverDeletions } from './use-several.ts'

const NARROW = '(max-width: 900px)'

/** The window around every page: conversations at the left, notices above, the page. */
export function Frame() {
  const navigate = useNavigate()
  // The window of one conversation has no room for the others, and says nothing about the main one.
  const beside = window.atelier?.isConversationWindow ?? false
  const [fold, setFold] = usePreference('sidebar', beside ? 'folded' : 'open', beside ? sessionStorage : localStorage)
  const [sheetOpen, setSheetOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const [replayOpen, setReplayOpen] = useState(false)
  const [shortcutsOpen, setShortcutsOpen] = useState(false)
  const folded = fold === 'folded'

  function toggleSidebar() {
    if (matchMedia(NARROW).matches) setSheetOpen(open => !open)
    else setFold(folded ? 'open' : 'folded')
  }

  useLeftOverDeletions()
  useShortcuts({
    'Mod+k': () => setPaletteOpen(open => !open),
    'Mod+b': toggleSidebar,
    'Mod+n': () => void navigate({ to: '/' }),
    'Mod+,': () => void navigate({ to: '/settings' }),
    'Shift+?': () => setShortcutsOpen(true),
    '?': () => setShortcutsOpen(true),
    'Mod+/': () => setShortcutsOpen(true),
  })

  const openPalette = () => setPaletteOpen(true)
  return (
    <div className="flex h-full min-w-0">
      <button
        type="button"
        onClick={goToPage}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2"
      >
        {t('skipToPage')}
      </button>
      <Rail onOpen={toggleSidebar} onSearch={openPalette} className={folded ? '' : 'narrow:hidden'} />
      {folded ? null : (
        <aside
          aria-label={t('conversations')}
          className="isolate hidden w-64 shrink-0 border-e border-line narrow:flex"
        >
          <Sidebar onFold={toggleSidebar} onSearch={openPalette} />
        </aside>
      )}
      <Sheet open={sheetOpen} onOpenChange={setSheetOpen} title={t('conversations')} side="start">
        <div className="flex h-full w-72 max-w-full">
          <Sidebar onFold={() => setSheetOpen(false)} onSearch={openPalette} onLeave={() => setSheetOpen(false)} />
        </div>
      </Sheet>
      <div className="flex min-w-0 flex-1 flex-col bg-surface">
        <Banners />
        <main id="page" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
          <Outlet />
        </main>
      </div>
      <Notifier />
      <DownloadNotices />
      <LanguageSetting />
      <CommandPalette
        open={paletteOpen}
        onOpenChange={setPaletteOpen}
        onToggleSidebar={toggleSidebar}
        onReplay={() => setReplayOpen(true)}
        onShortcuts={() => setShortcutsOpen(true)}
      />
      <ShortcutSheet open={shortcutsOpen} onOpenChange={setShortcutsOpen} />
      {replayOpen ? <ReplayDialog onClose={() => setReplayOpen(false)} /> : null}
    </div>
  )
}

function goToPage() {
  document.getElementById('page')?.focus()
}
