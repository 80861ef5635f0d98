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
  | 'provider_tokens'
  | 'custom_secrets'
  | 'trusted_repositories'
  | 'allowed_hosts'
  | 'desktop_notifications'
  | 'disk_space'
  | 'sandbox_sizes'
  | 'backups'
  | 'api_address'
  | 'api_key'
  | 'browser_logins'
  | 'api_docs'
  | 'system_state'
export type EntryName = SettingName | AnchorName

/** Every setting has its place here, or this does not compile. */
export const SETTING_ENTRIES: Readonly<Record<EntryName, SettingEntry>> = {
  llm_model: {
    section: 'model',
    label: t('model'),
    hint: t('providerModel'),
    words: t('llmAnthropicOpenaiGoogleGemini'),
  },
  llm_base_url: {
    section: 'model',
    label: t('address'),
    hint: t('onlyForServer'),
    words: t('baseUrlEndpointServer'),
  },
  llm_api_key: { section: 'model', label: t('key'), words: t('llmApiKeyTokenPassword') },
  llm_fallback_model: {
    section: 'model',
    label: t('fallbackModel'),
    hint: t('takesOverForAsLong'),
    words: t('fallbackSecondBackupDownOutage'),
  },
  llm_fallback_base_url: {
    section: 'model',
    label: t('addressOfFallbackModel'),
    hint: t('onlyForServerOfYourOwn'),
    words: t('fallbackBaseUrlEndpointServer'),
  },
  llm_fallback_api_key: { section: 'model', label: t('keyOfFallbackModel'), words: t('fallbackLlmApiKeyToken') },
  saved_models: { section: 'model', label: t('savedModels'), words: t('profilesLlmSwitchSeveralKeep') },
  local_models: { section: 'model', label: t('modelsOnThisMachine'), words: t('ollamaLmStudioLocalOffline') },

  usage: { section: 'model', label: t('usage'), words: t('costTokensMoneySpentPrice') },

  max_iterations: {
    section: 'agent',
    label: t('stepsPerConversation'),
    hint: t('maxIterationsWhenEmpty', { maxIterations: DEFAULT_SETTINGS.max_iterations }),
    words: t('maxIterationsLimit'),
  },
  max_budget_per_task: {
    section: 'agent',
    label: t('budgetPerConversation'),
    hint: t('noBudgetWhenEmpty'),
    words: t('costMoneyPriceLimitTask'),
  },
  confirmation_mode: {
    section: 'agent',
    label: t('askBeforeActing'),
    hint: t('agentAsksForApproval'),
    words: t('confirmationModeApproveAskPermission'),
  },
  security_analyzer: {
    section: 'agent',
    label: t('ratingOfActions'),
    hint: t('ratesHowRiskyEachAction'),
    words: t('riskConfirmDangerous'),
  },
  enable_default_condenser: {
    section: 'agent',
    label: t('sumUpLongConversations'),
    hint: t('modelReadsSummaryInPlace'),
    words: t('defaultCondenserCondenseMemoryContext'),
  },
  condenser_max_size: {
    section: 'agent',
    label: t('sumUpAfter'),
    hint: t('events20OrMore240'),
    words: t('condenserMaxSizeMemory'),
  },
  enable_solvability_analysis: {
    section: 'agent',
    label: t('solvabilityAnalysis'),
    hint: t('estimatesWhetherIssue'),
    words: t('issueEstimate'),
  },
  enable_proactive_conversation_starters: {
    section: 'agent',
    label: t('suggestConversations'),
    hint: t('offersToWorkOnOpen'),
    words: t('proactiveConversationStartersPullRequest'),
  },
  agent: {
    section: 'agent',
    label: t('agent'),
    hint: t('ignored'),
    words: t('codeactClass'),
  },

  sandbox_runtime_container_image: {
    section: 'sandbox',
    label: t('image'),
    hint: t('anyImageWithBinSh'),
    words: t('runtimeContainerDocker'),
  },
  sandbox_base_container_image: {
    section: 'sandbox',
    label: t('baseImage'),
    hint: t('usedWhenNoImage'),
    words: t('containerDocker'),
  },
  remote_runtime_resource_factor: {
    section: 'sandbox',
    label: t('resources'),
    hint: t('multipliesMemoryAndProcessors'),
    words: t('remoteRuntimeResourceFactorCpu'),
  },
  sandbox_api_key: {
    section: 'sandbox',
    label: t('remoteSandboxKey'),
    hint: t('forSandboxesOfProviderElsewhere'),
    words: t('runtimeApiKeyCloud'),
  },
  sandbox_specs: { section: 'sandbox', label: t('sandboxSpecs'), words: t('imagesDefaultContainerDocker') },

  llm_options: {
    section: 'model',
    label: t('howItIsAsked'),
    words: t('llmOptionsTemperature'),
  },
  mcp_config: {
    section: 'tools',
    label: t('toolServers'),
    words: t('mcpConfigModelContextProtocol'),
  },
  search_api_key: {
    section: 'tools',
    label: t('webSearchKey'),
    hint: t('withKeyOfTavilyAgent'),
    words: t('searchApiKeyTavily'),
  },

  git_user_name: {
    section: 'git',
    label: t('name'),
    hint: t('authorOfAgentsCommits'),
    words: t('gitUserNameAuthorCommit'),
  },
  git_user_email: { section: 'git', label: t('email'), words: t('gitUserEmailAuthorCommit') },
  provider_tokens: { section: 'git', label: t('gitProviders'), words: t('githubGitlabBitbucketTokenSso') },

  custom_secrets: { section: 'secrets', label: t('secrets'), words: t('customSecretsEnvironmentVariablePassword') },

  trusted_repositories: {
    section: 'trust',
    label: t('trustedRepositories'),
    words: t('trustRepositorySetupScriptHook'),
  },

  desktop_notifications: {
    section: 'notifications',
    label: t('notifyOnDesktop'),
    hint: t('whenAgentIsDone'),
    words: t('alertMessagePopup'),
  },
  enable_sound_notifications: {
    section: 'notifications',
    label: t('playSound'),
    hint: t('whenAgentIsDoneWaits'),
    words: t('soundNotificationsAudioBellMute'),
  },

  language: {
    section: 'general',
    label: t('language'),
    hint: t('thisWindowSpeaksEnglish'),
    words: t('localeTranslationEnglish'),
  },
  email: {
    section: 'general',
    label: t('email'),
    hint: t('storedForOtherClients'),
    words: t('accountMailAddress'),
  },
  email_verified: {
    section: 'general',
    label: t('emailIsVerified'),
    hint: t('storedForOtherClientsAtelier'),
    words: t('accountMail'),
  },

  allowed_hosts: {
    section: 'privacy',
    label: t('hostsThatSandboxesMayReach'),
    words: t('allowedHostsLocalhostPrivateNetwork'),
  },
  user_consents_to_analytics: {
    section: 'privacy',
    label: t('consentToAnalytics'),
    hint: t('storedForOtherClientsAtelierSends'),
    words: t('telemetryTrackingStatisticsData'),
  },

  disk_space: {
    section: 'storage',
    label: t('freeUpSpace'),
    words: t('diskFullLowDeleteClean'),
  },
  sandbox_sizes: { section: 'storage', label: t('sizesOfSandboxes'), words: t('diskSpaceEngineDockerLarge') },
  backups: {
    section: 'storage',
    label: t('backups'),
    words: t('databaseRestoreBackUpNow'),
  },

  api_address: { section: 'api', label: t('address'), words: t('urlPortLocalhostGatewayCurl') },
  api_key: { section: 'api', label: t('key'), words: t('sessionApiKeyCopyToken') },
  event_dialect: {
    section: 'api',
    label: t('kindsOfEventsForAgent'),
    hint: t('clientsOfAgentServersCompare'),
    words: t('gatewayDialectVersionOlderClient'),
  },
  browser_logins: { section: 'api', label: t('browsers'), words: t('loginLoggedInBrowserSession') },
  api_docs: { section: 'api', label: t('documentation'), words: t('docsOpenapiSwaggerReference') },
  system_state: {
    section: 'about',
    label: t('engineImageAndKeychain'),
    words: t('versionDockerPodmanDataFolder'),
  },
}
