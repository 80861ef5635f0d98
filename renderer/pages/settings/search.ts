import { type EntryName, SETTING_ENTRIES } from './form/entries.ts'
import { SECTION_TITLES, SETTINGS_SECTIONS, type SettingsSection } from './sections.ts'

export interface FoundSection {
  section: SettingsSection
  entries: EntryName[]
}

/**
 * The sections and fields that have all words of the query, in the order of the page. A field is found by its label,
 * its other words, its name in the API and its section's title.
 */
export function searchSettings(query: string): FoundSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const names = Object.keys(SETTING_ENTRIES) as EntryName[]
  return SETTINGS_SECTIONS.map(section => ({
    section,
    entries: names.filter(name => SETTING_ENTRIES[name].section === section && hasAll(textOf(name), words)),
  })).filter(({ entries }) => entries.length > 0)
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every(word => text.includes(word))
}

function textOf(name: EntryName): string {
  const { section, label, words = '' } = SETTING_ENTRIES[name]
  return `${label} ${words} ${name} ${SECTION_TITLES[section]}`.toLowerCase()
}
