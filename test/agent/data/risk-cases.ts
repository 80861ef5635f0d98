import type { SecurityRisk } from '../../../server/api/v1/conversation/confirmation.ts'

/** Commands that get the same rating, in a working directory `/workspace`. */
export interface RiskCases {
  what: string
  risk: Exclude<SecurityRisk, 'UNKNOWN'>
  commands: string[]
}
