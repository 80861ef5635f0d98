import { useQuery } from '@tanstack/react-query'
import { Link, useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import type { SettingsReply } from '../../../server/api/settings.ts'
import { settingsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { checkEdits, countEdits, NO_EDITS } from '../../state/settings-form.ts'
import { AlertDialog } from '../../ui/AlertDialog.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { AboutSection } from './AboutSection.tsx'
import { AgentSection } from './AgentSection.tsx'
import { ApiSection } from './ApiSection.tsx'
import type { SettingsForm } from './form.ts'
import { ModelSection } from './ModelSection.tsx'
import { SandboxSection } from './SandboxSection.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SECTION_TITLES, SETTINGS_SECTIONS, type SettingsSection } from './sections.ts'

export function SettingsPage({ section }: { section: SettingsSection }) {
  const settings = useQuery(settingsQuery(useClient()))
  return (
    <>
      <Toolbar title="Settings" />
      <div className="flex min-h-0 flex-1 max-narrow:flex-col">
        <SectionList />
        {settings.isPending ? <Skeleton label="Loading settings" lines={6} className="w-120 p-6" /> : null}
        {settings.isError ? (
          <div className="max-w-160 p-6">
            <ErrorNotice
              error={settings.error}
              onRetry={() => void settings.refetch()}
              retrying={settings.isFetching}
            />
          </div>
        ) : null}
        {settings.data !== undefined ? <SettingsBody section={section} stored={settings.data} /> : null}
      </div>
    </>
  )
}

function SectionList() {
  return (
    <nav
      aria-label="Settings"
      className="flex shrink-0 gap-px border-line p-2 max-narrow:overflow-x-auto max-narrow:border-b narrow:w-48 narrow:flex-col narrow:border-r narrow:p-3"
    >
      {SETTINGS_SECTIONS.map(section => (
        <Link
          key={section}
          to="/settings/$section"
          params={{ section }}
          className="flex h-7 items-center rounded-md px-2 whitespace-nowrap text-soft hover:bg-hover hover:text-ink data-[status=active]:bg-selected data-[status=active]:text-ink"
        >
          {SECTION_TITLES[section]}
        </Link>
      ))}
    </nav>
  )
}

/** Holds what is not saved across the sections; leaving the settings with it asks first. */
function SettingsBody({ section, stored }: { section: SettingsSection; stored: SettingsReply | null }) {
  const [edits, setEdits] = useState(NO_EDITS)
  const checked = checkEdits(edits)
  const form: SettingsForm = { stored, edits, errors: checked.ok ? {} : checked.errors, change: setEdits }
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="flex max-w-160 flex-col gap-5 px-6 py-5">
          <h2 className="text-lg font-semibold">{SECTION_TITLES[section]}</h2>
          <Section section={section} form={form} />
        </div>
      </div>
      <SaveBar edits={edits} checked={checked} onDone={() => setEdits(NO_EDITS)} />
      <LeaveGuard unsaved={countEdits(edits) > 0} />
    </div>
  )
}

function Section({ section, form }: { section: SettingsSection; form: SettingsForm }) {
  switch (section) {
    case 'model':
      return <ModelSection form={form} />
    case 'agent':
      return <AgentSection form={form} />
    case 'sandbox':
      return <SandboxSection form={form} />
    case 'api':
      return <ApiSection />
    case 'about':
      return <AboutSection />
  }
}

function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => unsaved && !next.pathname.startsWith('/settings'),
    enableBeforeUnload: unsaved,
    withResolver: true,
  })
  return (
    <AlertDialog
      open={blocker.status === 'blocked'}
      onOpenChange={open => {
        if (!open) blocker.reset?.()
      }}
      title="Leave without saving?"
      confirm="Discard the changes"
      cancel="Stay"
      onConfirm={() => blocker.proceed?.()}
    >
      What you changed here is not saved yet.
    </AlertDialog>
  )
}
