import type { SecurityRisk } from '../api/v1/conversation/confirmation.ts'

/** Order of the levels. `UNKNOWN` is no level: nobody has rated the call. */
export const RANK = { UNKNOWN: 0, LOW: 1, MEDIUM: 2, HIGH: 3 } as const satisfies Record<SecurityRisk, number>

export function higherRisk(one: SecurityRisk, other: SecurityRisk): SecurityRisk {
  return RANK[other] > RANK[one] ? other : one
}
