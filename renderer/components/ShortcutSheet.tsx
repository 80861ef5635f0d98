import { Kbd } from '../ui/Kbd.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { t } from './text.ts'

interface Shortcut {
  keys: string
  what: string
}

const GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: t('everywhere'),
    shortcuts: [
      { keys: 'Mod+K', what: t('searchAndCommands') },
      { keys: 'Mod+N', what: t('newConversation') },
      { keys: 'Mod+B', what: t('showOrHideConversations') },
      { keys: 'Mod+,', what: t('settings') },
      { keys: 'Mod+/', what: t('keyboardShortcuts') },
      { keys: 'F6', what: t('focusNotices') },
    ],
  },
  {
    title: t('inConversation'),
    shortcuts: [
      { keys: 'Enter', what: t('sendMessage') },
      { keys: 'Mod+Enter', what: t('stopAndSend') },
      { keys: 'Alt+Enter', what: t('sendWhenFinished') },
      { keys: 'Shift+Enter', what: t('newLine') },
      { keys: '@', what: t('nameFile') },
      { keys: '/', what: t('chooseCommand') },
      { keys: '↑', what: t('recallMessage') },
      { keys: 'Esc', what: t('pauseAgent') },
      { keys: 'F7', what: t('focusConfirmation') },
      { keys: 'F8', what: t('nextError') },
      { keys: 'F9', what: t('focusTrust') },
      { keys: 'Alt+↑', what: t('myLastMessage') },
      { keys: 'Alt+↓', what: t('latest') },
      { keys: 'Mod+F', what: t('findInConversation') },
      { keys: 'F3', what: t('olderMatch') },
      { keys: 'Shift+F3', what: t('newerMatch') },
      { keys: 'Mod+Shift+D', what: t('reviewChanges') },
    ],
  },
  {
    title: t('inList'),
    shortcuts: [
      { keys: 'Shift+↓', what: t('selectSeveral') },
      { keys: 'F2', what: t('saveTitle') },
      { keys: 'Delete', what: t('delete') },
    ],
  },
  {
    title: t('whenAgentAsks'),
    shortcuts: [
      { keys: 'Enter', what: t('accept') },
      { keys: 'R', what: t('rejectWithReason') },
      { keys: 'A', what: t('alwaysAllow') },
    ],
  },
  {
    title: t('inTerminal'),
    shortcuts: [
      { keys: 'Mod+Shift+T', what: t('newTerminal') },
      { keys: 'Mod+Shift+W', what: t('closeTerminal') },
      { keys: 'Mod+PageUp', what: t('previousTerminal') },
      { keys: 'Mod+PageDown', what: t('nextTerminal') },
      { keys: 'Mod+Shift+F', what: t('find') },
      { keys: 'Mod+Shift+C', what: t('copySelection') },
    ],
  },
  {
    title: t('inReview'),
    shortcuts: [
      { keys: 'J', what: t('nextFile') },
      { keys: 'K', what: t('previousFile') },
      { keys: 'N', what: t('nextChange') },
      { keys: 'P', what: t('previousChange') },
      { keys: 'V', what: t('markViewed') },
      { keys: 'S', what: t('oneOrTwoColumns') },
      { keys: 'W', what: t('wholeFileOrChanges') },
    ],
  },
]

/** All keys of the window on one page. */
export function ShortcutSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('keyboardShortcuts')}>
      <section
        aria-label={t('keyboardShortcuts')}
        className="flex flex-col gap-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {GROUPS.map(({ title, shortcuts }) => (
          <section key={title} aria-label={title}>
            <h3 className="pb-1 font-medium text-faint text-xs">{title}</h3>
            <dl className="flex flex-col">
              {shortcuts.map(({ keys, what }) => (
                <div key={keys} className="flex min-h-7 items-center justify-between gap-4 border-line border-b">
                  <dt>{what}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  )
}
