import type { GitProvider } from '../../../../server/api/v1/conversation/conversations.ts'

export interface ProviderTitle {
  title: string
  /** Its own host, where none is given. */
  host: string
  /** What the token must be allowed to do. */
  needs: string
  tokensAt: string | null
}

export const PROVIDER_TITLES: Readonly<Record<GitProvider, ProviderTitle>> = {
  github: {
    title: 'GitHub',
    host: 'github.com',
    needs: 'A classic token with the scope “repo”, or a fine-grained one with read and write access to contents.',
    tokensAt: 'https://github.com/settings/tokens',
  },
  gitlab: {
    title: 'GitLab',
    host: 'gitlab.com',
    needs: 'A token with the scopes “api” and “write_repository”.',
    tokensAt: 'https://gitlab.com/-/user_settings/personal_access_tokens',
  },
  bitbucket: {
    title: 'Bitbucket',
    host: 'bitbucket.org',
    needs: 'A token that may read the account and read and write repositories.',
    tokensAt: null,
  },
  enterprise_sso: { title: 'Enterprise SSO', host: 'No host', needs: 'Atelier cannot confirm it.', tokensAt: null },
}
