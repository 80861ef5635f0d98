import type { MenuItemConstructorOptions } from 'electron'
import type { Activity } from '../service/calls.ts'
import { t } from '../text.ts'

export interface TrayActions {
  /** Brings the window to the front as it is. */
  open: () => void
  newTask: () => void
  showConversation: (id: string) => void
  quit: () => void
  /** Takes back that the app quits once no agent works. */
  stay: () => void
}

export type TrayState = 'idle' | 'working' | 'waiting'

export function trayState({ working, waiting }: Pick<Activity, 'working' | 'waiting'>): TrayState {
  if (waiting.length > 0) return 'waiting'
  return working.length > 0 ? 'working' : 'idle'
}

export function trayTooltip({ working, waiting }: Activity): string {
  const lines = [
    ...(waiting.length > 0 ? [t('agentsWait', { count: waiting.length })] : []),
    ...(working.length > 0 ? [t('agentsAreWorking', { count: working.length })] : []),
  ]
  return lines.length === 0 ? 'Atelier' : `Atelier\n${lines.join('\n')}`
}

/** The conversations that wait for a person, then those that work, then what can always be done. */
export function trayMenu(
  { working, waiting }: Pick<Activity, 'working' | 'waiting'>,
  actions: TrayActions,
  quitsWhenFinished: boolean,
): MenuItemConstructorOptions[] {
  return [
    ...group(t('waitForYou'), waiting, actions),
    ...group(
      t('atWork'),
      working.filter(({ isSubAgent }) => !isSubAgent),
      actions,
    ),
    { label: t('newConversation'), click: actions.newTask },
    { label: t('openAtelier'), click: actions.open },
    { type: 'separator' },
    ...(quitsWhenFinished
      ? [
          { label: t('quitsWhenFinished'), enabled: false },
          { label: t('doNotQuit'), click: actions.stay },
        ]
      : []),
    { label: t('quit'), click: actions.quit },
  ]
}

/** A menu of more does not fit on a small screen. The window shows them all. */
const MAX_SHOWN = 8

function group(
  title: string,
  conversations: Activity['waiting'],
  { showConversation, open }: TrayActions,
): MenuItemConstructorOptions[] {
  if (conversations.length === 0) return []
  const more = conversations.length - MAX_SHOWN
  return [
    { label: title, enabled: false },
    ...conversations.slice(0, MAX_SHOWN).map(({ id, title: name }) => ({
      label: labelOf(name),
      click: () => showConversation(id),
    })),
    ...(more > 0 ? [{ label: t('more', { count: more }), click: open }] : []),
    { type: 'separator' },
  ]
}

const MAX_LABEL = 60
/** Line breaks, and what turns text around or cannot be seen: a title may be a model's. */
const UNFIT = /[\p{C}\p{Z}]+/gu

function labelOf(title: string | null): string {
  const plain = [...(title ?? '').replace(UNFIT, ' ').trim()]
  if (plain.length === 0) return t('untitled')
  const clipped = plain.length > MAX_LABEL ? [...plain.slice(0, MAX_LABEL - 1), '…'] : plain
  return clipped.join('').replaceAll('&', '&&')
}
