import { z } from 'zod'
import { t } from './text.ts'

export const SETTINGS_SECTIONS = [
  'model',
  'agent',
  'sandbox',
  'tools',
  'git',
  'secrets',
  'trust',
  'notifications',
  'desktop',
  'general',
  'privacy',
  'storage',
  'api',
  'about',
] as const
export const settingsSection = z.enum(SETTINGS_SECTIONS)
export type SettingsSection = z.output<typeof settingsSection>

export const SECTION_TITLES: Record<SettingsSection, string> = {
  model: t('model'),
  agent: t('agent'),
  sandbox: t('sandbox'),
  tools: t('tools'),
  git: t('git'),
  secrets: t('secrets'),
  trust: t('trustedRepositories'),
  notifications: t('notifications'),
  desktop: t('desktop'),
  general: t('appearanceAndLanguage'),
  privacy: t('privacy'),
  storage: t('storageAndBackups'),
  api: t('localApi'),
  about: t('aboutAndSystem'),
}
