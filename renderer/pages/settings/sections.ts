import { z } from 'zod'

export const SETTINGS_SECTIONS = [
  'model',
  'agent',
  'sandbox',
  'tools',
  'git',
  'secrets',
  'trust',
  'notifications',
  'general',
  'privacy',
  'storage',
  'api',
  'about',
] as const
export const settingsSection = z.enum(SETTINGS_SECTIONS)
export type SettingsSection = z.output<typeof settingsSection>

export const SECTION_TITLES: Record<SettingsSection, string> = {
  model: 'Model',
  agent: 'Agent',
  sandbox: 'Sandbox',
  tools: 'Tools',
  git: 'Git',
  secrets: 'Secrets',
  trust: 'Trusted repositories',
  notifications: 'Notifications',
  general: 'Language and account',
  privacy: 'Privacy',
  storage: 'Storage and backups',
  api: 'Local API',
  about: 'About and system',
}
