/** The reason of a rejection for which the person gave none, by how the person rejected. */
export const CANNED_REASONS = {
  rejected: 'User rejected the action.',
  answeredWithWords: 'The user did not accept this and answered with the message that follows.',
  wentBack: 'The user went back to an earlier point of the conversation.',
} as const

export function isCannedReason(reason: string): boolean {
  return Object.values<string>(CANNED_REASONS).includes(reason)
}
