import { z } from 'zod'

export const SECURITY_RISKS = ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH'] as const
export const securityRisk = z.enum(SECURITY_RISKS)
export type SecurityRisk = z.output<typeof securityRisk>

/** When the agent waits for a person before it acts. Calls of only `finish` and `think` never wait. */
export const confirmationPolicy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('NeverConfirm') }),
  z.object({ kind: z.literal('AlwaysConfirm') }),
  z.object({
    kind: z.literal('ConfirmRisky'),
    threshold: z
      .enum(['LOW', 'MEDIUM', 'HIGH'])
      .default('HIGH')
      .describe('Actions rated this risky or more wait for a person.'),
    confirm_unknown: z.boolean().default(true).describe('Whether an action that nobody rated waits too.'),
  }),
])
export type ConfirmationPolicy = z.output<typeof confirmationPolicy>

/** `local` rates by Atelier's own rules, `llm` takes the higher of that and the model's own word. */
export const SECURITY_ANALYZERS = ['llm', 'local'] as const
export const securityAnalyzer = z.enum(SECURITY_ANALYZERS)
export type SecurityAnalyzer = z.output<typeof securityAnalyzer>

/** Actions that a person has allowed for good in a conversation, in words. */
export const allowedKind = z.object({
  id: z.string().describe('Id to name in `always_allowed` so that this kind of action stays allowed.'),
  text: z.string().describe('The kind of action in words, for people.'),
})
export type AllowedKind = z.output<typeof allowedKind>
