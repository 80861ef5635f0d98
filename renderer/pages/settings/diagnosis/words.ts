import type {
  Diagnosis,
  DiagnosisCheck,
  DiagnosisFact,
  DiagnosisFinding,
} from '../../../../server/api/v1/system/diagnosis.ts'
import { FACT_UNITS } from '../../../../server/api/v1/system/diagnosis-words.ts'
import { formatBytes, formatDuration } from '../../../state/format.ts'
import { t } from './text.ts'

export const CHECK_TITLES: Readonly<Record<DiagnosisCheck, string>> = {
  engine: t('engine'),
  limits: t('limits'),
  isolation: t('isolation'),
  engine_storage: t('engineStorage'),
  shares: t('shares'),
  image: t('image'),
  network: t('network'),
  keychain: t('keychain'),
  model: t('model'),
  disk: t('disk'),
  engine_disk: t('engineDisk'),
  ports: t('ports'),
  clock: t('clock'),
  proxy: t('proxy'),
  crashes: t('crashes'),
}

export const FINDING_WORDS: Readonly<Record<DiagnosisFinding, string>> = {
  engine_answers: t('engineAnswers'),
  engine_old: t('engineOld'),
  engine_unavailable: t('engineUnavailable'),
  limits_held: t('limitsHeld'),
  limits_missing: t('limitsMissing'),
  isolation_user: t('isolationUser'),
  isolation_root: t('isolationRoot'),
  isolation_no_filter: t('isolationNoFilter'),
  storage_driver_good: t('storageDriverGood'),
  storage_driver_slow: t('storageDriverSlow'),
  shares_work: t('sharesWork'),
  shares_remote: t('sharesRemote'),
  shares_refused: t('sharesRefused'),
  image_loaded: t('imageLoaded'),
  image_loading: t('imageLoading'),
  image_not_loaded: t('imageNotLoaded'),
  image_not_bundled: t('imageNotBundled'),
  image_failed: t('imageFailed'),
  network_protected: t('networkProtected'),
  network_none: t('networkNone'),
  network_not_refused: t('networkNotRefused'),
  network_no_rules: t('networkNoRules'),
  network_open_runtime: t('networkOpenRuntime'),
  keychain_open: t('keychainOpen'),
  keychain_locked: t('keychainLocked'),
  keychain_missing: t('keychainMissing'),
  keychain_failed: t('keychainFailed'),
  model_chosen: t('modelChosen'),
  model_not_set: t('modelNotSet'),
  model_key_missing: t('modelKeyMissing'),
  model_key_unknown: t('modelKeyUnknown'),
  model_answers: t('modelAnswers'),
  model_without_tools: t('modelWithoutTools'),
  model_failed: t('modelFailed'),
  disk_free: t('diskFree'),
  disk_low: t('diskLow'),
  disk_full: t('diskFull'),
  disk_unknown: t('diskUnknown'),
  disk_elsewhere: t('diskElsewhere'),
  data_folder_open: t('dataFolderOpen'),
  ports_served: t('portsServed'),
  ports_moved: t('portsMoved'),
  ports_free: t('portsFree'),
  ports_taken: t('portsTaken'),
  clock_right: t('clockRight'),
  clock_differs: t('clockDiffers'),
  clock_unknown: t('clockUnknown'),
  proxy_none: t('proxyNone'),
  proxy_used: t('proxyUsed'),
  proxy_unusable: t('proxyUnusable'),
  proxy_engine: t('proxyEngine'),
  crashes_none: t('crashesNone'),
  crashes_found: t('crashesFound'),
  needs_engine: t('needsEngine'),
  needs_image: t('needsImage'),
  needs_service: t('needsService'),
  timed_out: t('timedOut'),
  check_failed: t('checkFailed'),
}

export const FACT_NAMES: Readonly<Record<DiagnosisFact['name'], string>> = {
  name: t('name'),
  version: t('version'),
  api_version: t('apiVersion'),
  endpoint: t('endpoint'),
  operating_system: t('operatingSystem'),
  architecture: t('architecture'),
  processors: t('processors'),
  memory: t('memory'),
  runtimes: t('runtimes'),
  cgroup: t('cgroup'),
  missing_limits: t('missingLimits'),
  user_namespace: t('userNamespace'),
  seccomp: t('seccomp'),
  storage_driver: t('storageDriver'),
  file_system: t('fileSystem'),
  disk_limit: t('diskLimit'),
  folder: t('folder'),
  reference: t('reference'),
  policy: t('policy'),
  runtime: t('runtime'),
  allowed_hosts: t('allowedHosts'),
  storage: t('storage'),
  model_name: t('modelName'),
  address: t('address'),
  latency: t('latency'),
  tool_calls: t('toolCalls'),
  images: t('images'),
  free: t('free'),
  total: t('total'),
  api: t('api'),
  agent_server: t('agentServer'),
  difference: t('difference'),
  variables: t('variables'),
  proxy: t('proxy'),
  engine_proxy: t('engineProxy'),
  report: t('report'),
  crashed_at: t('crashedAt'),
  reason: t('reason'),
  error: t('error'),
}

export const STATE_WORDS: Readonly<Record<Diagnosis['state'], string>> = {
  ok: t('stateOk'),
  warning: t('stateWarning'),
  problem: t('stateProblem'),
  unknown: t('stateUnknown'),
  skipped: t('stateSkipped'),
}

/** A fact as a person reads it. */
export function factValue({ name, value }: DiagnosisFact): string {
  if (value === 'yes') return t('yes')
  if (value === 'no') return t('no')
  const unit = FACT_UNITS[name]
  switch (unit) {
    case 'bytes':
      return formatBytes(Number(value))
    case 'milliseconds':
      return formatDuration(Number(value))
    case 'seconds':
      return t('secondsApart', { seconds: String(value) })
    default:
      return String(value)
  }
}
