import type {
  ConfirmationPolicy,
  SecurityAnalyzer,
  SecurityRisk,
} from '../../../server/api/v1/conversation/confirmation.ts'

export const CONFIRMATION_CHOICES = ['never', 'risky', 'always'] as const
export type ConfirmationChoice = (typeof CONFIRMATION_CHOICES)[number]

export const CONFIRMATION_WORDS = {
  never: { label: 'Never ask', hint: 'The agent acts by itself.' },
  risky: { label: 'Ask before risky actions', hint: 'What is rated high, or not rated at all, waits for you.' },
  always: { label: 'Ask before every action', hint: 'Only thinking and finishing do not wait.' },
} as const satisfies Record<ConfirmationChoice, { label: string; hint: string }>

function policyOf(choice: ConfirmationChoice): ConfirmationPolicy {
  switch (choice) {
    case 'never':
      return { kind: 'NeverConfirm' }
    case 'risky':
      return { kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true }
    case 'always':
      return { kind: 'AlwaysConfirm' }
  }
}

/** What to ask the service for. Asking before risky actions needs something that rates them, so it brings the local rules. */
export function confirmationFields(choice: ConfirmationChoice, analyzer: SecurityAnalyzer | null) {
  const confirmation_policy = policyOf(choice)
  return choice === 'risky' && analyzer === null
    ? { confirmation_policy, security_analyzer: 'local' as const }
    : { confirmation_policy }
}

export function choiceOf({ kind }: ConfirmationPolicy): ConfirmationChoice {
  if (kind === 'NeverConfirm') return 'never'
  return kind === 'ConfirmRisky' ? 'risky' : 'always'
}

export const RISK_WORDS = {
  HIGH: { word: 'high risk', tone: 'bad' },
  MEDIUM: { word: 'some risk', tone: 'wait' },
  LOW: { word: 'low risk', tone: 'good' },
  UNKNOWN: { word: 'not rated', tone: 'neutral' },
} as const satisfies Record<SecurityRisk, { word: string; tone: 'bad' | 'wait' | 'good' | 'neutral' }>
