import type { DataContents } from '../../../../server/api/v1/transfer/imports.ts'
import { SETTING_ENTRIES, type SettingEntry } from '../form/entries.ts'
import { SECTION_TITLES } from '../sections.ts'
import { t } from './text.ts'

/** What the settings of a file would change, each with the value that it would have. */
export function ChangedSettings({ settings }: { settings: DataContents['settings'] }) {
  if (settings.length === 0) return <p className="text-soft">{t('noSettingChanges')}</p>
  return (
    <div>
      <p>{t('settingsWouldChange')}</p>
      <ul aria-label={t('settingsWouldChange')} className="mt-1 list-disc ps-5">
        {settings.map(({ name, value }) => (
          <li key={name} className="break-words">
            {labelOf(name)}: <bdi className="font-mono text-sm break-all">{shown(value)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Where it stands in the settings, as several have the same name; a setting without a place has its own name. */
function labelOf(name: string): string {
  const entries: Readonly<Record<string, SettingEntry>> = SETTING_ENTRIES
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  return entry ? `${SECTION_TITLES[entry.section]} › ${entry.label}` : name
}

function shown(json: string): string {
  const value: unknown = JSON.parse(json)
  if (value === null || value === '') return t('settingIsNotSet')
  if (typeof value === 'boolean') return value ? t('settingIsOn') : t('settingIsOff')
  return typeof value === 'string' ? value : json
}
