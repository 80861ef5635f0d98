import type { GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'
import { t } from './text.ts'

export interface ProviderTitle {
  title: string
  /** Its own host, where none is given. */
  host: string
  /** What the token must be allowed to do. */
  needs: string
  tokensAt: string | null
  /** What a person needs to sign in with a code; null where that is not possible. */
  signIn: { needs: string; applicationsPath: string } | null
}

export const PROVIDER_TITLES: Readonly<Record<GitProvider, ProviderTitle>> = {
  github: {
    title: 'GitHub',
    host: 'github.com',
    needs: t('classicTokenWithScopeRepo'),
    tokensAt: 'https://github.com/settings/tokens',
    signIn: { needs: t('githubApplication'), applicationsPath: '/settings/developers' },
  },
  gitlab: {
    title: 'GitLab',
    host: 'gitlab.com',
    needs: t('tokenWithScopesApi'),
    tokensAt: 'https://gitlab.com/-/user_settings/personal_access_tokens',
    signIn: { needs: t('gitlabApplication'), applicationsPath: '/-/user_settings/applications' },
  },
  bitbucket: {
    title: 'Bitbucket',
    host: 'bitbucket.org',
    needs: t('tokenThatMayReadAccount'),
    tokensAt: null,
    signIn: null,
  },
  enterprise_sso: {
    title: t('enterpriseSso'),
    host: t('serverOfOrganization'),
    needs: t('tokenOfServer'),
    tokensAt: null,
    signIn: null,
  },
}
