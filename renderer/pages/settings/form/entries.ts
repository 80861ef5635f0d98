import { DEFAULT_SETTINGS } from '../../../../server/api/v1/settings/settings.ts'
import type { SettingName } from '../../../state/settings/form.ts'
import type { SettingsSection } from '../sections.ts'

/** One place in the settings: where it is, what it is called, and what it does. */
export interface SettingEntry {
  section: SettingsSection
  label: string
  hint?: string
  /** Other words that a person may look for. */
  words?: string
}

/** What else the settings hold: things that are no field of the settings' table. */
export type PlaceName =
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
export type EntryName = SettingName | PlaceName

/** Every setting has its place here, or this does not compile. */
export const SETTING_ENTRIES: Readonly<Record<EntryName, SettingEntry>> = {
  llm_model: {
    section: 'model',
    label: 'Model',
    hint: 'provider/model, or the bare name of a model at the address below.',
    words: 'llm anthropic openai google gemini claude gpt',
  },
  llm_base_url: {
    section: 'model',
    label: 'Address',
    hint: 'Only for a server of your own. It is reached from this machine: localhost works.',
    words: 'base url endpoint server',
  },
  llm_api_key: { section: 'model', label: 'Key', words: 'llm api key token password' },
  llm_fallback_model: {
    section: 'model',
    label: 'Other model',
    hint: 'Takes over for as long as the first one does not answer. Empty: the agent stops and says so.',
    words: 'fallback second backup down outage',
  },
  llm_fallback_base_url: {
    section: 'model',
    label: 'Address of the other model',
    hint: 'Only for a server of your own.',
    words: 'fallback base url endpoint server',
  },
  llm_fallback_api_key: { section: 'model', label: 'Key of the other model', words: 'fallback llm api key token' },
  saved_models: { section: 'model', label: 'Saved models', words: 'profiles llm switch several keep name' },
  local_models: { section: 'model', label: 'Models on this machine', words: 'ollama lm studio local offline' },

  usage: { section: 'model', label: 'Usage', words: 'cost tokens money spent price day statistics' },

  max_iterations: {
    section: 'agent',
    label: 'Steps per conversation',
    hint: `${DEFAULT_SETTINGS.max_iterations} when empty.`,
    words: 'max iterations limit',
  },
  max_budget_per_task: {
    section: 'agent',
    label: 'Budget per conversation, US $',
    hint: 'No budget when empty. A model of unknown price is not counted.',
    words: 'cost money price limit task',
  },
  confirmation_mode: {
    section: 'agent',
    label: 'Ask before acting',
    hint: 'The agent waits for your word. Each conversation can be set otherwise.',
    words: 'confirmation mode approve ask permission',
  },
  security_analyzer: {
    section: 'agent',
    label: 'Rating of actions',
    hint: 'Rates how risky each action is. With a rating, only risky ones wait for you; without, every one does.',
    words: 'risk confirm dangerous',
  },
  enable_default_condenser: {
    section: 'agent',
    label: 'Sum up long conversations',
    hint: 'The model reads a summary in the place of older steps. You still see them all.',
    words: 'default condenser condense memory context history',
  },
  condenser_max_size: {
    section: 'agent',
    label: 'Sum up after',
    hint: 'Events, 20 or more; 240 when empty. It happens sooner when the model’s context fills.',
    words: 'condenser max size memory',
  },
  enable_solvability_analysis: {
    section: 'agent',
    label: 'Solvability analysis',
    hint: 'Estimates whether an issue can be solved before work on it.',
    words: 'issue estimate',
  },
  enable_proactive_conversation_starters: {
    section: 'agent',
    label: 'Suggest conversations',
    hint: 'Offers to work on open pull requests and failing checks.',
    words: 'proactive conversation starters pull request',
  },
  agent: {
    section: 'agent',
    label: 'Agent',
    hint: 'Atelier has one agent, and uses it whatever stands here.',
    words: 'codeact class',
  },

  sandbox_runtime_container_image: {
    section: 'sandbox',
    label: 'Image',
    hint: 'Any image with /bin/sh runs as it is; nothing is built or added. Empty: Atelier’s own image.',
    words: 'runtime container docker',
  },
  sandbox_base_container_image: {
    section: 'sandbox',
    label: 'Base image',
    hint: 'Used when no image is given above. Other clients of the API set it.',
    words: 'container docker',
  },
  remote_runtime_resource_factor: {
    section: 'sandbox',
    label: 'Resources',
    hint: 'Multiplies the memory and the processors that a sandbox may use.',
    words: 'remote runtime resource factor cpu memory limit',
  },
  sandbox_api_key: {
    section: 'sandbox',
    label: 'Remote sandbox key',
    hint: 'For sandboxes of a provider elsewhere. Stored for other clients: Atelier’s own sandboxes run here and need none.',
    words: 'runtime api key cloud',
  },
  sandbox_specs: { section: 'sandbox', label: 'Sandbox specs', words: 'images default container docker' },

  mcp_config: {
    section: 'tools',
    label: 'Tool servers',
    words: 'mcp config model context protocol stdio http sse server',
  },
  search_api_key: {
    section: 'tools',
    label: 'Web search key',
    hint: 'With a key of Tavily the agent can search the web.',
    words: 'search api key tavily',
  },

  git_user_name: {
    section: 'git',
    label: 'Name',
    hint: 'The author of the agent’s commits.',
    words: 'git user name author commit',
  },
  git_user_email: { section: 'git', label: 'Email', words: 'git user email author commit' },
  provider_tokens: { section: 'git', label: 'Git providers', words: 'github gitlab bitbucket token sso login host' },

  custom_secrets: { section: 'secrets', label: 'Secrets', words: 'custom secrets environment variable password token' },

  trusted_repositories: {
    section: 'trust',
    label: 'Trusted repositories',
    words: 'trust repository setup script hook pre-commit sub-agent secrets revoke',
  },

  desktop_notifications: {
    section: 'notifications',
    label: 'Notify on the desktop',
    hint: 'When the agent is done, waits for you or stops, while this window is not in front.',
    words: 'alert message popup',
  },
  enable_sound_notifications: {
    section: 'notifications',
    label: 'Play a sound',
    hint: 'When the agent is done, waits for you or stops.',
    words: 'sound notifications audio bell mute',
  },

  language: {
    section: 'general',
    label: 'Language',
    hint: 'This window speaks English only; other clients of the API read the field.',
    words: 'locale translation english',
  },
  email: {
    section: 'general',
    label: 'Email',
    hint: 'Stored for other clients. Atelier has no accounts, and sends no mail.',
    words: 'account mail address',
  },
  email_verified: {
    section: 'general',
    label: 'Email is verified',
    hint: 'Stored for other clients. Atelier does not check it.',
    words: 'account mail',
  },

  allowed_hosts: {
    section: 'privacy',
    label: 'Hosts that sandboxes may reach',
    words: 'allowed hosts localhost private network address lan firewall ssrf mcp model server sandbox',
  },
  user_consents_to_analytics: {
    section: 'privacy',
    label: 'Consent to analytics',
    hint: 'Stored for other clients. Atelier sends no analytics, whatever stands here.',
    words: 'telemetry tracking statistics data',
  },

  disk_space: {
    section: 'storage',
    label: 'Free up space',
    words: 'disk full low delete clean logs images leftovers',
  },
  sandbox_sizes: { section: 'storage', label: 'Sizes of sandboxes', words: 'disk space engine docker large' },
  backups: {
    section: 'storage',
    label: 'Backups',
    words: 'database restore back up now recovery damaged lost',
  },

  api_address: { section: 'api', label: 'Address', words: 'url port localhost gateway curl header' },
  api_key: { section: 'api', label: 'Key', words: 'session api key copy token rotate change' },
  event_dialect: {
    section: 'api',
    label: 'Kinds of events for agent clients',
    hint: 'Clients of agent servers compare the names of events to the letter, and those of 2025 know other names.',
    words: 'gateway dialect version older client openhands executebash terminal',
  },
  browser_logins: { section: 'api', label: 'Browsers', words: 'login logged in browser session end log out sign out' },
  api_docs: { section: 'api', label: 'Documentation', words: 'docs openapi swagger reference' },
  system_state: {
    section: 'about',
    label: 'Engine, image and keychain',
    words: 'version docker podman data folder system check',
  },
}
