import { Volume2 } from 'lucide-react'
import { playChime } from '../../../state/notice/chime.ts'
import { useDesktopNotifications } from '../../../state/notice/desktop-notifications.ts'
import { Button } from '../../../ui/Button.tsx'
import type { SettingsForm } from '../form/form.ts'
import { SettingSwitch, SwitchRow } from '../form/SwitchRow.tsx'
import { t } from './text.ts'

export function NotificationsSection({ form }: { form: SettingsForm }) {
  const [desktop, setDesktop] = useDesktopNotifications()
  return (
    <>
      <SettingSwitch form={form} field="enable_sound_notifications">
        <Button size="small" className="mt-2" icon={<Volume2 size={13} aria-hidden />} onClick={playChime}>
          {t('play')}
        </Button>
      </SettingSwitch>
      {window.atelier ? (
        <SwitchRow
          name="desktop_notifications"
          checked={desktop}
          onCheckedChange={setDesktop}
          hint={t('desktopNotifications')}
        />
      ) : (
        <p className="text-sm text-faint">{t('notificationsNeedInstalledApp')}</p>
      )}
    </>
  )
}
