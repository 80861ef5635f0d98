import type { Background, Desktop } from '../../../../electron/ipc.ts'
import { useBackground } from '../../../api/system/background.ts'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { SwitchRow } from '../form/SwitchRow.tsx'
import { t } from './text.ts'

/** How the app behaves beside its windows. Kept at once, by the desktop app itself. */
export function DesktopSection() {
  const { atelier } = window
  if (!atelier) return <p className="text-sm text-faint">{t('needsInstalledApp')}</p>
  return <Choices desktop={atelier} />
}

function Choices({ desktop }: { desktop: Desktop }) {
  const { state, change } = useBackground(desktop)
  const problem = change.error ?? state.error
  return (
    <>
      {problem ? <ErrorNotice error={problem} /> : null}
      {state.data ? <Switches state={state.data} change={change.mutate} /> : null}
    </>
  )
}

function Switches({ state, change }: { state: Background; change: (choices: Partial<Background>) => void }) {
  const { tray, keepRunning, startAtLogin, graphics, showsTrays, canStartAtLogin } = state
  const problem = whyNotKept(state)
  return (
    <>
      <SwitchRow name="tray_icon" checked={tray} onCheckedChange={on => change({ tray: on })} />
      <SwitchRow
        name="keep_running"
        checked={keepRunning}
        // What is on can be turned off.
        disabled={problem !== undefined && !keepRunning}
        hint={problem}
        onCheckedChange={on => change({ keepRunning: on })}
      />
      <SwitchRow
        name="start_at_login"
        checked={startAtLogin}
        disabled={!canStartAtLogin}
        hint={canStartAtLogin ? (showsTrays && tray ? undefined : t('opensWindow')) : t('needsInstalledApp')}
        onCheckedChange={on => change({ startAtLogin: on })}
      />
      <SwitchRow
        name="graphics_card"
        checked={graphics === 'used'}
        hint={graphics === 'failed' ? t('graphicsFailed') : undefined}
        onCheckedChange={on => change({ graphics: on ? 'used' : 'unused' })}
      />
    </>
  )
}

function whyNotKept({ tray, showsTrays }: Background): string | undefined {
  if (!showsTrays) return t('noTray')
  return tray ? undefined : t('needsTrayIcon')
}
