import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import type { SettingName } from '../../state/settings/form.ts'
import { Input } from '../../ui/field/Input.tsx'
import { type EntryName, SETTING_ENTRIES } from './form/entries.ts'
import { type FoundSection, searchSettings } from './search.ts'
import { SECTION_TITLES, SETTINGS_SECTIONS, type SettingsSection } from './sections.ts'
import { t } from './text.ts'

export interface SettingsNavProps {
  /** What is not saved, and what of it does not fit. */
  edited: readonly SettingName[]
  wrong: readonly string[]
  /** Goes to a section, and there to a setting. */
  onOpen: (section: SettingsSection, entry: EntryName | null) => void
}

/** The sections, or what the search finds. */
export function SettingsNav({ edited, wrong, onOpen }: SettingsNavProps) {
  const [query, setQuery] = useState('')
  const found = query.trim() ? searchSettings(query) : null
  function openFirst() {
    const first = found?.[0]
    if (first) onOpen(first.section, first.entries[0] ?? null)
  }
  return (
    <nav
      aria-label={t('settings')}
      className="flex shrink-0 flex-col gap-2 border-line p-3 max-narrow:border-b narrow:w-54 narrow:overflow-y-auto narrow:border-e"
    >
      <search className="relative">
        <Search size={13} aria-hidden className="absolute top-2.25 start-2 text-faint" />
        <Input
          type="search"
          aria-label={t('searchSettings')}
          placeholder={t('search')}
          value={query}
          onValueChange={setQuery}
          onKeyDown={event => {
            if (event.key === 'Enter') openFirst()
            if (event.key === 'Escape') setQuery('')
          }}
          className="ps-7!"
        />
      </search>
      {found ? <Found found={found} onOpen={onOpen} /> : <Sections edited={edited} wrong={wrong} />}
    </nav>
  )
}

const ITEM =
  'flex min-h-7 items-center gap-2 rounded-md px-2 text-soft hover:bg-hover hover:text-ink data-[status=active]:bg-selected data-[status=active]:text-ink'

function Sections({ edited, wrong }: Omit<SettingsNavProps, 'onOpen'>) {
  return (
    <div className="flex flex-wrap gap-px narrow:flex-col">
      {SETTINGS_SECTIONS.map(section => (
        <Link
          key={section}
          to="/settings/$section"
          params={{ section }}
          className={`${ITEM} max-narrow:whitespace-nowrap`}
        >
          <span className="min-w-0 wrap-break-word hyphens-auto narrow:flex-1">{SECTION_TITLES[section]}</span>
          <Mark
            edited={edited.some(name => SETTING_ENTRIES[name].section === section)}
            wrong={edited.some(name => SETTING_ENTRIES[name].section === section && wrong.includes(name))}
          />
        </Link>
      ))}
    </div>
  )
}

/** Where something is not saved, or does not fit. */
function Mark({ edited, wrong }: { edited: boolean; wrong: boolean }) {
  if (wrong) return <span className="text-sm text-bad">{t('wrong')}</span>
  if (!edited) return null
  return (
    <>
      <span aria-hidden className="size-1.5 rounded-full bg-accent" />
      <span className="sr-only">{t('notSaved')}</span>
    </>
  )
}

function Found({ found, onOpen }: { found: readonly FoundSection[]; onOpen: SettingsNavProps['onOpen'] }) {
  const total = found.reduce((sum, { entries }) => sum + entries.length, 0)
  return (
    <div className="flex max-h-60 flex-col gap-2 overflow-y-auto narrow:max-h-none narrow:overflow-visible">
      <p role="status" className={total === 0 ? 'px-2 text-faint' : 'sr-only'}>
        {total === 0 ? t('noMatchingSettings') : t('results', { total })}
      </p>
      {found.map(({ section, entries }) => (
        <section key={section} aria-label={SECTION_TITLES[section]}>
          <p className="px-2 text-xs text-faint">{SECTION_TITLES[section]}</p>
          {entries.map(name => (
            <button
              key={name}
              type="button"
              onClick={() => onOpen(section, name)}
              className={`${ITEM} w-full text-start`}
            >
              {SETTING_ENTRIES[name].label}
            </button>
          ))}
        </section>
      ))}
    </div>
  )
}
