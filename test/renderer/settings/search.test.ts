import { expect, test } from 'vitest'
import { SETTING_ENTRIES } from '../../../renderer/pages/settings/form/entries.ts'
import { searchSettings } from '../../../renderer/pages/settings/search.ts'
import { SETTINGS_SECTIONS } from '../../../renderer/pages/settings/sections.ts'
import { settingsFields } from '../../../server/api/v1/settings/settings.ts'

const found = (query: string) => searchSettings(query).flatMap(({ entries }) => entries)

test('every field of the settings has its place in the window', () => {
  // It holds secrets, which have a section of their own.
  const fields = Object.keys(settingsFields).filter(name => name !== 'secrets_store')
  expect(Object.keys(SETTING_ENTRIES)).toEqual(expect.arrayContaining(fields))
})

test('every section can be found', () => {
  expect(new Set(searchSettings('').map(({ section }) => section))).toEqual(new Set(SETTINGS_SECTIONS))
})

test.each([
  ['mcp', 'mcp_config'],
  ['GitHub', 'provider_tokens'],
  ['llm_base_url', 'llm_base_url'],
  ['profiles', 'saved_models'],
  ['telemetry', 'user_consents_to_analytics'],
  ['curl', 'api_address'],
  ['memory cpu', 'remote_runtime_resource_factor'],
] as const)('%s leads to %s', (query, name) => {
  expect(found(query)).toContain(name)
})

test('all words have to fit, in any order', () => {
  expect(found('email git')).toEqual(['git_user_email'])
  expect(found('email banana')).toEqual([])
})
