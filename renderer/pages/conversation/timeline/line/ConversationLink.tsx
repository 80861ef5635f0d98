import { Link } from '@tanstack/react-router'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** A way to another conversation: a sub-agent's, the one that a copy came from. */
export function ConversationLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link
      to="/conversations/$conversationId"
      params={{ conversationId: id }}
      className="inline-flex items-center gap-1 self-start text-accent hover:underline"
    >
      {children}
      <ArrowUpRight size={13} aria-hidden />
    </Link>
  )
}
