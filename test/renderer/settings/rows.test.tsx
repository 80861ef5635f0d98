import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LoginRow } from '../../../renderer/pages/settings/api/BrowserLogins.tsx'
import { TokenTestResult } from '../../../renderer/pages/settings/git/ProviderRow.tsx'
import { ProfileRow } from '../../../renderer/pages/settings/model/ProfileRow.tsx'
import type { GitProvider } from '../../../server/api/v1/conversation/conversations.ts'
import type { LlmProfile } from '../../../server/api/v1/settings/llm-profiles.ts'
import { ApiError } from '../../../server/client/api-error.ts'

const tested = (user: string | undefined, error: Error | null, provider: GitProvider = 'gitlab') => {
  const result = user === undefined ? undefined : ({ user, host: 'git.example.org', software: 'gitlab' } as const)
  return renderToStaticMarkup(<TokenTestResult provider={provider} tested={result} error={error} />)
}

test('a token that was not tested says nothing', () => {
  expect(tested(undefined, null)).toBe('')
})

test('a token that its provider knows is somebody’s', () => {
  const markup = tested('tanuki', null)
  expect(markup).toContain('role="status"')
  expect(markup).toContain('GitLab knows the token as tanuki’s.')
  expect(tested('tanuki', null, 'enterprise_sso')).toContain('GitLab at git.example.org knows the token as tanuki’s.')
})

test('a refused token and a provider that is away are told apart, as alarms', () => {
  const refused = 'GitLab at gitlab.com refuses the stored token: it was revoked, or has expired. Change it.'
  const away = 'GitLab at gitlab.com could not be reached, so the token could not be checked.'
  for (const [code, status, message] of [
    ['provider_token_invalid', 401, refused],
    ['provider_unavailable', 503, away],
  ] as const) {
    const markup = tested(undefined, new ApiError({ code, status, message }))
    expect(markup).toContain('role="alert"')
    expect(markup).toContain(message)
  }
})

const profile: LlmProfile = {
  name: 'fast',
  model: 'openai/small',
  base_url: 'http://localhost:1/v1',
  options: {},
  api_key_set: true,
}
const row = (fields: Partial<LlmProfile>, active = false) =>
  renderToStaticMarkup(
    <ul>
      <ProfileRow
        profile={{ ...profile, ...fields }}
        active={active}
        busy={false}
        disabledReason={null}
        onUse={() => {}}
        onRename={() => {}}
        onDelete={() => {}}
      />
    </ul>,
  )

test('a saved model says where it is and whether it has a key, and can be used', () => {
  const markup = row({})
  expect(markup).toContain('openai/small at http://localhost:1/v1')
  expect(markup).toContain('Key set')
  for (const name of ['Use fast', 'Rename fast', 'Delete fast']) expect(markup).toContain(`aria-label="${name}"`)
  expect(row({ api_key_set: false, base_url: null })).toMatch(/No key/)
})

test('the saved model in use needs no button for it', () => {
  const markup = row({}, true)
  expect(markup).toContain('In use')
  expect(markup).not.toContain('Use fast')
})

const login = (fields: object) =>
  renderToStaticMarkup(
    <ul>
      <LoginRow
        login={{
          id: 'l1',
          browser: 'Firefox on Linux',
          created_at: new Date(Date.now() - 7_300_000).toISOString(),
          last_used_at: new Date(Date.now() - 400_000).toISOString(),
          is_current: false,
          ...fields,
        }}
        busy={false}
        onEnd={() => {}}
      />
    </ul>,
  )

test('a login says which browser it is, since when and how long unused, and can be ended', () => {
  const markup = login({})
  const text = markup.replace(/<[^>]+>/g, '')
  expect(text).toContain('Firefox on Linux')
  expect(text).toContain('Logged in 2 h ago · used 6 min ago')
  expect(markup).toContain('aria-label="End the login of Firefox on Linux"')
  expect(login({ browser: null })).toContain('Another program')
})

test('the login of the browser that shows the list is marked, and says why it cannot be ended here', () => {
  const markup = login({ is_current: true })
  expect(markup).toContain('this browser')
  expect(markup).toContain('data-disabled')
})
