import { app, BrowserWindow, dialog } from 'electron'
import { HIDDEN_SWITCH } from './background/autostart-entry.ts'
import type { AtWork } from './service/calls.ts'
import type { ServiceHost } from './service/host.ts'
import { t } from './text.ts'
import type { Updates } from './updates/updates.ts'

/** What is allowed to take until the process ends, whatever hangs; and with an update, which the end would leave out. */
const CLOSE_MS = 2_800
const CLOSE_FOR_UPDATE_MS = 30_000

/** An agent that has finished may go on at once, with a message that waits for it or for the one that had sent it. */
const QUIET_MS = 2_000

export interface Quit {
  /** Whether the app quits once no agent works. */
  isAwaited(): boolean
  /** Takes that back. */
  stay(): void
  /** Called when `isAwaited` says something else. */
  onChange(heard: () => void): void
  /** Closes the app without a question, and starts it again. */
  startAgain(): void
}

/**
 * Ends the service before the app, and then installs an update that waits for that. While agents work, or programs run
 * in terminals, a person is asked first, and may have the app wait until the agents have finished. A signal, as at the end
 * of the desktop's session, waits for nothing and asks nobody, not even for the password that an update may need.
 */
export function closeBeforeQuit(host: ServiceHost, updates: Updates): Quit {
  let phase: 'open' | 'asking' | 'waiting' | 'closing' = 'open'
  let heardChange = () => {}
  let quiet: NodeJS.Timeout | undefined
  const isAwaited = (): boolean => phase === 'waiting'
  const enter = (next: 'open' | 'asking' | 'waiting'): void => {
    const wasAwaited = isAwaited()
    phase = next
    if (isAwaited() !== wasAwaited) heardChange()
  }
  const close = (end?: () => void): void => {
    phase = 'closing'
    setTimeout(() => app.exit(1), end ? CLOSE_FOR_UPDATE_MS : CLOSE_MS).unref()
    host.close().then(
      () => {
        end?.()
        app.exit(0)
      },
      () => app.exit(1),
    )
  }
  const install = (): void => {
    // Nothing answers in a window from here on.
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    if (updates.install()) startAgain()
  }
  // The window may be what was closed. This is how the desktop itself asks for one again.
  const showWindow = (): void => {
    if (BrowserWindow.getAllWindows().length === 0) app.emit('activate')
  }
  const stay = (): void => {
    enter('open')
    updates.stay()
    showWindow()
  }
  const leave = async (): Promise<void> => {
    enter('asking')
    const mayEnd = await updates.prepare()
    if (isClosing()) return
    if (mayEnd) close(updates.isPrepared() ? install : undefined)
    else stay()
  }
  const ask = async (): Promise<void> => {
    enter('asking')
    const atWork = await host.atWork()
    if (isClosing()) return
    const endsNothing = atWork.agents === 0 && atWork.terminals === 0
    const answer = endsNothing ? 'quit' : await askPerson(atWork)
    // A signal may have come in between.
    if (isClosing()) return
    if (answer === 'quit') return leave()
    if (answer === 'stay') return stay()
    enter('waiting')
    showWindow()
    leaveOnceQuiet()
  }
  const leaveOnceQuiet = (): void => {
    const { working, starting } = host.activity()
    const isQuiet = host.isReady() && working.length === 0 && starting === 0
    if (!isAwaited() || !isQuiet) {
      clearTimeout(quiet)
      quiet = undefined
      // A service that crashed, or was started anew, has not finished with its agents: a person is to see that.
      if (isAwaited() && !host.isReady()) stay()
      return
    }
    quiet ??= setTimeout(() => {
      quiet = undefined
      if (isAwaited() && host.isReady()) void leave()
    }, QUIET_MS)
  }
  host.onActivity(leaveOnceQuiet)
  const isClosing = (): boolean => phase === 'closing'
  app.on('before-quit', event => {
    event.preventDefault()
    if (phase === 'open' || phase === 'waiting') void ask()
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isClosing()) close()
    })
  }
  return {
    isAwaited,
    stay: () => {
      if (isAwaited()) stay()
    },
    onChange: heard => {
      heardChange = heard
    },
    startAgain: () => {
      if (isClosing()) return
      startAgain()
      close()
    },
  }
}

/** Once this process has ended, however it does. */
function startAgain(): void {
  app.relaunch({ args: process.argv.slice(1).filter(isForEveryStart) })
}

/** What a start was about is over: a folder, a link, a window that nobody was to see. */
function isForEveryStart(argument: string): boolean {
  return argument.startsWith('--') && argument !== HIDDEN_SWITCH && !argument.startsWith('--folder')
}

/** As the buttons stand. */
const ANSWERS = ['quit', 'stay', 'wait'] as const

async function askPerson({ agents, terminals }: AtWork): Promise<(typeof ANSWERS)[number]> {
  const question = {
    type: 'question' as const,
    message: [
      ...(agents > 0 ? [t('agentsAreWorking', { count: agents })] : []),
      ...(terminals > 0 ? [t('programsRunInTerminals', { count: terminals })] : []),
    ].join('\n'),
    detail: [
      ...(agents > 0 ? [t('agentsStopWhenYouQuit')] : []),
      ...(terminals > 0 ? [t('programsEndWhenYouQuit')] : []),
    ].join('\n'),
    // Only agents are waited for: what runs in a terminal may never end.
    buttons: [t('quit'), t('keepWorking'), ...(agents > 0 ? [t('quitWhenFinished')] : [])],
    defaultId: 1,
    cancelId: 1,
  }
  const window = BrowserWindow.getAllWindows().find(each => each.isVisible())
  const { response } = await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question))
  return ANSWERS[response] ?? 'stay'
}
