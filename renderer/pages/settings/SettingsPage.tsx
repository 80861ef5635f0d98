import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import { settingsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { checkEdits, countEdits, editedFields, NO_EDITS } from '../../state/settings/form.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import type { EntryName } from './form/entries.ts'
import type { SettingsForm } from './form/form.ts'
import { LeaveGuard } from './form/LeaveGuard.tsx'
import { SaveBar } from './form/SaveBar.tsx'
import { Section } from './form/Section.tsx'
import { scrollToSetting } from './form/SettingAnchor.tsx'
import { SettingsNav } from './SettingsNav.tsx'
import { SECTION_TITLES, type SettingsSection } from './sections.ts'
import { t } from './text.ts'

export function SettingsPage({ section }: { section: SettingsSection }) {
  const settings = useQuery(settingsQuery(useClient()))
  return (
    <>
      <Toolbar title={t('settings')} />
      {settings.isPending ? <Skeleton label={t('loadingSettings')} lines={6} className="w-120 p-6" /> : null}
      {settings.isError && settings.data === undefined ? (
        <div className="max-w-160 p-6">
          <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} retrying={settings.isFetching} />
        </div>
      ) : null}
      {settings.data !== undefined ? <SettingsBody section={section} stored={settings.data} /> : null}
    </>
  )
}

/** Holds what is not saved across the sections; leaving the settings with it asks first. */
function SettingsBody({ section, stored }: { section: SettingsSection; stored: SettingsReply | null }) {
  const [edits, setEdits] = useState(NO_EDITS)
  const openEntry = useOpenEntry(section)
  const checked = checkEdits(edits)
  const errors = checked.ok ? {} : checked.errors
  const form: SettingsForm = { stored, edits, errors, change: setEdits }
  return (
    <div className="flex min-h-0 flex-1 max-narrow:flex-col">
      <SettingsNav edited={editedFields(edits)} wrong={Object.keys(errors)} onOpen={openEntry} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <div key={section} className="min-h-0 flex-1 overflow-y-auto">
          <div className="flex max-w-160 flex-col gap-5 px-6 py-5">
            <h2 className="text-lg font-semibold">{SECTION_TITLES[section]}</h2>
            <Section section={section} form={form} />
          </div>
        </div>
        <SaveBar
          edits={edits}
          checked={checked}
          // What was typed while it was being saved is kept.
          onDone={done => setEdits(current => (current === done ? NO_EDITS : current))}
        />
        <LeaveGuard unsaved={countEdits(edits) > 0} />
      </div>
    </div>
  )
}

/** Goes to a setting; one of another section has to be on the page first. */
function useOpenEntry(section: SettingsSection) {
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<{ section: SettingsSection; entry: EntryName } | null>(null)
  useEffect(() => {
    if (wanted?.section === section) scrollToSetting(wanted.entry)
  }, [wanted, section])
  return (target: SettingsSection, entry: EntryName | null) => {
    setWanted(entry ? { section: target, entry } : null)
    if (target !== section) void navigate({ to: '/settings/$section', params: { section: target } })
  }
}
