import { CircleCheck } from 'lucide-react'
import type { GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import type { ProviderTokenTest } from '../../../../server/api/v1/settings/secrets.ts'
import { useTestToken } from '../../../api/secrets.ts'
import type { ConnectedProviders } from '../../../state/settings/provider-tokens.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { PROVIDER_TITLES } from './provider-titles.ts'
import { t } from './text.ts'

export interface ProviderRowProps {
  provider: GitProvider
  connected: ConnectedProviders
  onEdit: () => void
  onSignIn: () => void
  onRemove: () => void
}

/** One git provider; what its token is good for stands under it once it was tested. */
export function ProviderRow({ provider, connected, onEdit, onSignIn, onRemove }: ProviderRowProps) {
  const { title, host, signIn } = PROVIDER_TITLES[provider]
  const isSet = provider in connected
  const test = useTestToken(provider)
  /** What was found out is of the token that was. */
  function change(open: () => void) {
    test.reset()
    open()
  }
  return (
    <li className="flex flex-col gap-2 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-40 flex-1">
          <span className="block">{title}</span>
          <span className="block truncate font-mono text-sm text-faint">{connected[provider] || host}</span>
        </span>
        {isSet ? <Badge tone="good">{t('tokenSet')}</Badge> : <Badge>{t('notSet')}</Badge>}
        {isSet ? (
          <Button
            size="small"
            aria-label={t('testTokenOfTitle', { title })}
            busy={test.isPending}
            onClick={() => test.mutate()}
          >
            {t('test')}
          </Button>
        ) : null}
        <Button
          size="small"
          aria-label={isSet ? t('changeTokenTitle', { title }) : t('addTokenTitle', { title })}
          onClick={() => change(onEdit)}
        >
          {isSet ? t('change') : t('addToken')}
        </Button>
        {signIn ? (
          <Button size="small" aria-label={t('signInToTitle', { title })} onClick={() => change(onSignIn)}>
            {t('signIn')}
          </Button>
        ) : null}
        {isSet ? (
          <Button size="small" look="quiet" aria-label={t('removeTokenOfTitle', { title })} onClick={onRemove}>
            {t('remove')}
          </Button>
        ) : null}
      </div>
      {isSet && !test.isPending ? <TokenTestResult provider={provider} tested={test.data} error={test.error} /> : null}
    </li>
  )
}

export interface TokenTestResultProps {
  provider: GitProvider
  tested: ProviderTokenTest | undefined
  error: Error | null
}

export function TokenTestResult({ provider, tested, error }: TokenTestResultProps) {
  if (error) return <ErrorNotice error={error} />
  if (!tested) return null
  const { user, host } = tested
  const { title } = PROVIDER_TITLES[tested.software]
  const words =
    provider === 'enterprise_sso'
      ? t('tokenWorksAt', { software: title, host, user })
      : t('tokenWorks', { title, user })
  return (
    <p role="status" className="flex items-start gap-1.5 text-good">
      <CircleCheck size={14} aria-hidden className="mt-0.75 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{words}</span>
    </p>
  )
}
