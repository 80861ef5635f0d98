import { BrowserWindow, Notification } from 'electron'
import { sessionBusPath } from '../../server/dbus/connection.ts'
import { CHANNELS, type DesktopNotification } from '../ipc.ts'
import { t } from '../text.ts'
import type { Windows } from '../window/windows.ts'
import { LinuxNotifications, DEFAULT as OPEN, type ShownNotification } from './linux.ts'

/** In the order of their buttons. */
const ANSWERS = ['accept', 'reject'] as const
const MAX_SHOWN = 50

/** What a desktop shows while none of our windows is in front. */
export class Notifications {
  readonly #windows: Windows
  readonly #linux: LinuxNotifications | undefined
  /** A notification that is collected as garbage tells no clicks any more. */
  readonly #shown = new Set<Notification>()

  constructor(windows: Windows, env: NodeJS.ProcessEnv) {
    this.#windows = windows
    // A bus that is reached in another way is Electron's to reach.
    const isReachable = process.platform === 'linux' && sessionBusPath(env) !== undefined
    this.#linux = isReachable ? new LinuxNotifications(env) : undefined
  }

  /** A click opens the conversation where it is shown, or in the main window. There is a button for each answer, where the call can be answered there. */
  async show({ title, body, ...about }: DesktopNotification): Promise<void> {
    if (BrowserWindow.getFocusedWindow()) return
    const answers = about.call === null ? [] : ANSWERS
    const shown: ShownNotification = {
      title,
      body,
      actions: [[OPEN, t('openAtelier')], ...answers.map(answer => [answer, t(answer)] as const)],
      onAction: key => {
        const choice = answers.find(answer => answer === key)
        const window = this.#windows.any()
        if (choice && window) window.webContents.send(CHANNELS.notificationChoice, { ...about, choice })
        else this.#windows.showConversation(about.conversation)
      },
    }
    if (!this.#linux) return this.#showElsewhere(shown)
    // A desktop that shows none is no problem of the conversation's.
    await this.#linux.show(shown).catch(() => {})
  }

  #showElsewhere({ title, body, actions, onAction }: ShownNotification): void {
    if (!Notification.isSupported()) return
    const buttons = actions.filter(([key]) => key !== OPEN)
    const notification = new Notification({
      title,
      body,
      actions: buttons.map(([, text]) => ({ type: 'button' as const, text })),
    })
    notification.on('click', () => onAction(OPEN))
    notification.on('action', (_event, index) => onAction(buttons[index]?.[0] ?? OPEN))
    // One that has gone from the screen may still stand in the desktop's list of them.
    const [oldest] = this.#shown
    if (oldest && this.#shown.size >= MAX_SHOWN) this.#shown.delete(oldest)
    this.#shown.add(notification)
    notification.show()
  }
}
