import { useState } from 'react'
import type { GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import { type SignInRequest, useStartSignIn } from '../../../api/git-sign-ins.ts'
import type { ConnectedProviders } from '../../../state/settings/provider-tokens.ts'
import { SignInForm } from './SignInForm.tsx'
import { SignInProgress } from './SignInProgress.tsx'

export interface SignInDialogProps {
  provider: GitProvider
  connected: ConnectedProviders
  onClose: () => void
}

/** First asks where and as which application, then shows the code until the sign-in has ended. */
export function SignInDialog({ provider, connected, onClose }: SignInDialogProps) {
  const [request, setRequest] = useState<SignInRequest | null>(null)
  const start = useStartSignIn()
  function begin(next: SignInRequest) {
    setRequest(next)
    start.mutate(next)
  }
  if (!start.data) {
    const host = connected[provider] ?? null
    return <SignInForm provider={provider} host={host} start={start} onStart={begin} onClose={onClose} />
  }
  const again = () => (request ? begin(request) : start.reset())
  return <SignInProgress key={start.data.id} begun={start.data} onAgain={again} onClose={onClose} />
}
