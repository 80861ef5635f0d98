import type { CaseTable } from '../../parts/operation/case.ts'
import { ATTEMPT_CASES } from './conversation/attempts.ts'
import { FILE_CASES } from './conversation/files.ts'
import { CONVERSATION_CASES } from './conversations.ts'
import { ENGINE_CASES } from './engines.ts'
import { EVENT_CASES } from './events.ts'
import { GATEWAY_CONVERSATION_CASES } from './gateway-conversations.ts'
import { GATEWAY_SERVER_CASES } from './gateway-server.ts'
import { GATEWAY_SETTINGS_CASES } from './gateway-settings.ts'
import { GATEWAY_WORKSPACE_CASES } from './gateway-workspace.ts'
import { COMMIT_CASES } from './git/commits.ts'
import { GIT_DATA_CASES } from './git/data.ts'
import { REVIEW_CASES } from './git/review.ts'
import { LEGACY_CASES } from './legacy.ts'
import { REPOSITORY_TRUST_CASES } from './repository-trust.ts'
import { PORT_CASES } from './sandbox/ports.ts'
import { SANDBOX_CASES } from './sandbox/sandboxes.ts'
import { SERVICE_CASES } from './sandbox/services.ts'
import { SPEC_FILE_CASES } from './sandbox/spec-files.ts'
import { TERMINAL_CASES } from './sandbox/terminals.ts'
import { SETTINGS_CASES } from './settings.ts'
import { TRANSFER_CASES } from './system/transfer.ts'
import { SYSTEM_CASES } from './system.ts'
import { GATEWAY_TOOL_SERVER_CASES, TOOL_SERVER_CASES } from './tool-servers.ts'
import { WEBHOOK_CASES } from './webhooks.ts'

/** By the names of the contract's operations. */
export const APP_CASES: CaseTable = {
  ...CONVERSATION_CASES,
  ...REPOSITORY_TRUST_CASES,
  ...TOOL_SERVER_CASES,
  ...EVENT_CASES,
  ...FILE_CASES,
  ...ATTEMPT_CASES,
  ...SANDBOX_CASES,
  ...SPEC_FILE_CASES,
  ...PORT_CASES,
  ...SERVICE_CASES,
  ...TERMINAL_CASES,
  ...SETTINGS_CASES,
  ...SYSTEM_CASES,
  ...TRANSFER_CASES,
  ...ENGINE_CASES,
  ...LEGACY_CASES,
  ...GIT_DATA_CASES,
  ...REVIEW_CASES,
  ...COMMIT_CASES,
  ...WEBHOOK_CASES,
}

export const GATEWAY_CASES: CaseTable = {
  ...GATEWAY_CONVERSATION_CASES,
  ...GATEWAY_TOOL_SERVER_CASES,
  ...GATEWAY_WORKSPACE_CASES,
  ...GATEWAY_SERVER_CASES,
  ...GATEWAY_SETTINGS_CASES,
}
