import { usePreference } from '../settings/preference.ts'

const NAME = 'desktop-notifications'

/** Whether this window tells the desktop; on until it is turned off. */
export function useDesktopNotifications() {
  const [value, store] = usePreference(NAME, 'on')
  return [value === 'on', (on: boolean) => store(on ? 'on' : 'off')] as const
}

/** The same, at the moment of a notification. */
export function desktopNotificationsOn(storage: Storage = localStorage): boolean {
  return (storage.getItem(`atelier.${NAME}`) ?? 'on') === 'on'
}
