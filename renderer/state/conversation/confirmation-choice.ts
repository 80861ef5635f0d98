import type {
  ConfirmationPolicy,
  SecurityAnalyzer,
  SecurityRisk,
} from '../../../server/api/v1/conversation/confirmation.ts'
import { t } from './text.ts'

export const CONFIRMATION_CHOICES = ['never', 'risky', 'always'] as const
export type ConfirmationChoice = (typeof CONFIRMATION_CHOICES)[number]

export const CONFIRMATION_WORDS = {
  never: { label: t('neverAsk'), hint: t('agentActsByItself') },
  risky: { label: t('askBeforeRiskyActions'), hint: t('whatIsRatedHigh') },
  always: { label: t('askBeforeEveryAction'), hint: t('thinkingAndFinishingNeverWait') },
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
  HIGH: { word: t('highRisk'), tone: 'bad' },
  MEDIUM: { word: t('someRisk'), tone: 'wait' },
  LOW: { word: t('lowRisk'), tone: 'good' },
  UNKNOWN: { word: t('notRated'), tone: 'neutral' },
} as const satisfies Record<SecurityRisk, { word: string; tone: 'bad' | 'wait' | 'good' | 'neutral' }>
