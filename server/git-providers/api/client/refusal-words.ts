import { z } from 'zod'

const text = z.union([z.string(), z.array(z.string())])
const problem = z.union([
  z.string(),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ field: z.string(), code: z.string() }).transform(({ field, code }) => `${field} is ${code}`),
])

/** How the providers say why: GitHub and Data Center with a list, GitLab with a message or a list, Bitbucket in `error`. */
const refusal = z.object({
  message: text.optional().catch(undefined),
  errors: z.array(z.unknown()).optional().catch(undefined),
  error: problem.optional().catch(undefined),
})

const MAX_WORDS = 400

/** Why a provider refused, in its own words; empty when it says nothing. */
export function wordsIn(answer: unknown): string {
  const { message, errors, error } = refusal.safeParse(answer).data ?? {}
  const details = (errors ?? []).flatMap(one => problem.safeParse(one).data ?? [])
  const words = [message ?? [], error ?? [], details].flat()
  return [...new Set(words)]
    .map(word => (/[.!?]$/.test(word) ? word : `${word}.`))
    .join(' ')
    .slice(0, MAX_WORDS)
}
