import type { Action } from '../api/actions.ts'
import { SECURITY_RISKS, type SecurityRisk } from '../api/confirmation.ts'

export interface Rating {
  risk: SecurityRisk
  /** Short plain sentences for the person who decides. */
  reasons: string[]
}

/** Rates what the agent wants to do by rules of our own: pure, without network. */
export function rateAction(_action: Action, _context: { workingDir: string }): Rating {
  return { risk: 'UNKNOWN', reasons: [] }
}

/** The higher of two ratings. */
export function combine(local: SecurityRisk, model: SecurityRisk): SecurityRisk {
  return SECURITY_RISKS.indexOf(model) > SECURITY_RISKS.indexOf(local) ? model : local
}

/** An analyzer that fails must not let anything pass: its rating is HIGH. */
export function safeRate(rate: () => Rating): Rating {
  try {
    return rate()
  } catch {
    return { risk: 'HIGH', reasons: ['The risk of this could not be worked out'] }
  }
}
