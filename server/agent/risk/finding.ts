import type { SecurityRisk } from '../../api/v1/conversation/confirmation.ts'
import { RANK } from '../../domain/security-risk.ts'
import { clipEnd } from '../../text/clip.ts'

/** Something that a person should know before saying yes. What is harmless leaves no finding. */
export interface Finding {
  risk: Exclude<SecurityRisk, 'UNKNOWN'>
  /** A short plain sentence without full stop. */
  reason: string
}

export interface Rating {
  risk: SecurityRisk
  /** Short plain sentences for the person who decides, the weightiest first. */
  reasons: string[]
}

const MAX_REASONS = 5
const MAX_REASON_LENGTH = 200

export function toRating(findings: readonly Finding[]): Rating {
  const byWeight = findings.toSorted((a, b) => RANK[b.risk] - RANK[a.risk])
  const reasons = new Set(byWeight.map(({ reason }) => clip(reason, MAX_REASON_LENGTH)))
  return { risk: byWeight[0]?.risk ?? 'LOW', reasons: [...reasons].slice(0, MAX_REASONS) }
}

export function clip(text: string, length = 60): string {
  return clipEnd(text, length)
}
