import { DEFAULT_SETTINGS } from '../../../../server/api/v1/settings/settings.ts'
import type { SettingName } from '../../../state/settings/form.ts'
import type { SettingsSection } from '../sections.ts'
import { t } from './text.ts'

/** One place in the settings: where it is, what it is called, and what it does. */
export interface SettingEntry {
  section: SettingsSection
  label: string
  hint?: string
  /** Other words that a person may look for. */
  words?: string
}

/** What else the settings hold: things that are no field of the settings' table. */
type AnchorName =
  | 'local_models'
  | 'saved_models'
  | 'usage'
  | 'sandbox_specs'
  | 'engines'
  | 'provider_tokens'
  | 'custom_secrets'
  | 'trusted_repositories'
  | 'allowed_hosts'
  | 'desktop_notifications'
  | 'tray_icon'
  | 'keep_running'
  | 'start_at_login'
  | 'graphics_card'
  | 'theme'
  | 'text_size'
  | 'disk_space'
  | 'delete_all_data'
  | 'sandbox_sizes'
  | 'backups'
  | 'data_transfer'
  | 'api_address'
  | 'api_key'
  | 'browser_logins'
  | 'api_docs'
  | 'system_state'
  | 'diagnosis'
  | 'updates'
export type EntryName = SettingName | AnchorName

/** Every setting has its place here, or this does not compile. */
export const SETTING_ENTRIES: Readonly<Record<EntryName, SettingEntry>> = {
  llm_model: { section: 'model', label: t('model'), hint: t('providerModel'), words: t('modelTerms') },
  llm_base_url: { section: 'model', label: t('address'), hint: t('onlyForServer'), words: t('addressTerms') },
  llm_api_key: { section: 'model', label: t('key'), words: t('keyTerms') },
  llm_fallback_model: {
    section: 'model',
    label: t('fallbackModel'),
    hint: t('takesOverForAsLong'),
    words: t('fallbackModelTerms'),
  },
  llm_fallback_base_url: {
    section: 'model',
    label: t('addressOfFallbackModel'),
    hint: t('onlyForServerOfYourOwn'),
    words: t('fallbackAddressTerms'),
  },
  llm_fallback_api_key: { section: 'model', label: t('keyOfFallbackModel'), words: t('fallbackKeyTerms') },
  saved_models: { section: 'model', label: t('savedModels'), words: t('savedModelsTerms') },
  local_models: { section: 'model', label: t('modelsOnThisMachine'), words: t('localModelsTerms') },
  usage: { section: 'model', label: t('usage'), words: t('usageTerms') },
  max_iterations: {
    section: 'agent',
    label: t('stepsPerConversation'),
    hint: t('maxIterationsWhenEmpty', { maxIterations: DEFAULT_SETTINGS.max_iterations }),
    words: t('maxIterationsTerms'),
  },
  max_budget_per_task: {
    section: 'agent',
    label: t('budgetPerConversation'),
    hint: t('noBudgetWhenEmpty'),
    words: t('budgetTerms'),
  },
  confirmation_mode: {
    section: 'agent',
    label: t('askBeforeActing'),
    hint: t('agentAsksForApproval'),
    words: t('confirmationTerms'),
  },
  security_analyzer: {
    section: 'agent',
    label: t('ratingOfActions'),
    hint: t('ratesHowRiskyEachAction'),
    words: t('riskTerms'),
  },
  enable_default_condenser: {
    section: 'agent',
    label: t('sumUpLongConversations'),
    hint: t('modelReadsSummaryInPlace'),
    words: t('condenserTerms'),
  },
  condenser_max_size: {
    section: 'agent',
    label: t('sumUpAfter'),
    hint: t('condenserSizeHint'),
    words: t('condenserSizeTerms'),
  },
  enable_solvability_analysis: {
    section: 'agent',
    label: t('solvabilityAnalysis'),
    hint: t('estimatesWhetherIssue'),
    words: t('issueEstimateTerms'),
  },
  enable_proactive_conversation_starters: {
    section: 'agent',
    label: t('suggestConversations'),
    hint: t('offersToWorkOnOpen'),
    words: t('suggestionsTerms'),
  },
  agent: { section: 'agent', label: t('agent'), hint: t('ignored'), words: t('agentClassTerms') },
  sandbox_runtime_container_image: {
    section: 'sandbox',
    label: t('image'),
    hint: t('anyImageWithBinSh'),
    words: t('runtimeTerms'),
  },
  sandbox_base_container_image: {
    section: 'sandbox',
    label: t('baseImage'),
    hint: t('usedWhenNoImage'),
    words: t('baseImageTerms'),
  },
  remote_runtime_resource_factor: {
    section: 'sandbox',
    label: t('resources'),
    hint: t('multipliesMemoryAndProcessors'),
    words: t('resourceFactorTerms'),
  },
  prepare_sandboxes: {
    section: 'sandbox',
    label: t('prepareSandboxes'),
    hint: t('startsSandboxesAhead'),
    words: t('prepareSandboxesTerms'),
  },
  pause_idle_after: {
    section: 'sandbox',
    label: t('pauseIdleSandboxes'),
    hint: t('pausesWhatNothingUses'),
    words: t('pauseIdleTerms'),
  },
  max_running_sandboxes: {
    section: 'sandbox',
    label: t('maxRunningSandboxes'),
    hint: t('limitsRunningSandboxes'),
    words: t('maxRunningTerms'),
  },
  sandbox_api_key: {
    section: 'sandbox',
    label: t('remoteSandboxKey'),
    hint: t('remoteSandboxesHint'),
    words: t('runtimeKeyTerms'),
  },
  sandbox_specs: { section: 'sandbox', label: t('sandboxSpecs'), words: t('sandboxSpecsTerms') },
  engines: { section: 'sandbox', label: t('engines'), words: t('enginesTerms') },
  llm_options: { section: 'model', label: t('howItIsAsked'), words: t('modelOptionsTerms') },
  mcp_config: { section: 'tools', label: t('toolServers'), words: t('toolServersTerms') },
  search_api_key: {
    section: 'tools',
    label: t('webSearchKey'),
    hint: t('withKeyOfTavilyAgent'),
    words: t('tavilyKeyTerms'),
  },
  git_user_name: { section: 'git', label: t('name'), hint: t('authorOfAgentsCommits'), words: t('gitNameTerms') },
  git_user_email: { section: 'git', label: t('email'), words: t('gitEmailTerms') },
  provider_tokens: { section: 'git', label: t('gitProviders'), words: t('providerTokensTerms') },
  custom_secrets: { section: 'secrets', label: t('secrets'), words: t('secretsTerms') },
  trusted_repositories: { section: 'trust', label: t('trustedRepositories'), words: t('trustTerms') },
  tray_icon: { section: 'desktop', label: t('trayIcon'), hint: t('trayIconHint'), words: t('trayIconTerms') },
  keep_running: {
    section: 'desktop',
    label: t('keepRunning'),
    hint: t('keepRunningHint'),
    words: t('keepRunningTerms'),
  },
  start_at_login: {
    section: 'desktop',
    label: t('startAtLogin'),
    hint: t('startAtLoginHint'),
    words: t('startAtLoginTerms'),
  },
  graphics_card: {
    section: 'desktop',
    label: t('graphicsCard'),
    hint: t('graphicsCardHint'),
    words: t('graphicsCardTerms'),
  },
  theme: { section: 'general', label: t('theme'), hint: t('themeHint'), words: t('themeTerms') },
  text_size: { section: 'general', label: t('textSize'), hint: t('textSizeHint'), words: t('textSizeTerms') },
  desktop_notifications: {
    section: 'notifications',
    label: t('notifyOnDesktop'),
    hint: t('whenAgentIsDone'),
    words: t('desktopNotificationsTerms'),
  },
  enable_sound_notifications: {
    section: 'notifications',
    label: t('playSound'),
    hint: t('whenAgentIsDoneWaits'),
    words: t('soundTerms'),
  },
  language: { section: 'general', label: t('language'), hint: t('languageHint'), words: t('languageTerms') },
  email: { section: 'general', label: t('email'), hint: t('storedForOtherClients'), words: t('emailTerms') },
  email_verified: {
    section: 'general',
    label: t('emailIsVerified'),
    hint: t('storedUnchecked'),
    words: t('emailVerifiedTerms'),
  },
  allowed_hosts: { section: 'privacy', label: t('hostsThatSandboxesMayReach'), words: t('allowedHostsTerms') },
  user_consents_to_analytics: {
    section: 'privacy',
    label: t('consentToAnalytics'),
    hint: t('analyticsStoredOnly'),
    words: t('analyticsTerms'),
  },
  disk_space: { section: 'storage', label: t('freeUpSpace'), words: t('cleanUpTerms') },
  sandbox_sizes: { section: 'storage', label: t('sizesOfSandboxes'), words: t('sandboxSizesTerms') },
  backups: { section: 'storage', label: t('backups'), words: t('backupsTerms') },
  archive_after_days: {
    section: 'storage',
    label: t('archiveAfterDays'),
    hint: t('archivesUnusedConversations'),
    words: t('archiveAfterTerms'),
  },
  delete_after_days: {
    section: 'storage',
    label: t('deleteAfterDays'),
    hint: t('deletesUnusedConversations'),
    words: t('deleteAfterTerms'),
  },
  data_transfer: { section: 'storage', label: t('exportAndImport'), words: t('exportAndImportTerms') },
  delete_all_data: { section: 'storage', label: t('deleteAllData'), words: t('deleteAllDataTerms') },

  api_address: { section: 'api', label: t('address'), words: t('serviceAddressTerms') },
  api_key: { section: 'api', label: t('key'), words: t('apiKeyTerms') },
  event_dialect: { section: 'api', label: t('kindsOfEvents'), hint: t('kindsOfEventsHint'), words: t('dialectTerms') },
  browser_logins: { section: 'api', label: t('browsers'), words: t('browserLoginsTerms') },
  api_docs: { section: 'api', label: t('documentation'), words: t('apiDocumentsTerms') },
  system_state: { section: 'about', label: t('engineImageAndKeychain'), words: t('systemTerms') },
  diagnosis: { section: 'about', label: t('diagnosis'), words: t('diagnosisTerms') },
  updates: { section: 'about', label: t('lookForUpdates'), hint: t('updatesHint'), words: t('updatesTerms') },
}
