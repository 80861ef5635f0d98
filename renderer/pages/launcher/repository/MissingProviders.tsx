import { TriangleAlert } from 'lucide-react'
import type { MissingProvider } from '../../../../server/api/v1/git/data.ts'

/** Providers that gave no answer, while others did. */
export function MissingProviders({ missing }: { missing: readonly MissingProvider[] }) {
  return missing.map(({ git_provider, message }) => (
    <p key={git_provider} role="status" className="flex gap-1.5 text-sm text-soft">
      <TriangleAlert size={13} aria-hidden className="mt-0.75 shrink-0 text-wait" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{message}</span>
    </p>
  ))
}
