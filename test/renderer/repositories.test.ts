import { describe, expect, test } from 'vitest'
import { draftOf, EMPTY_DRAFT, problemsOf, requestOf, requestOfTask } from '../../renderer/state/launch/launch.ts'
import { repositoryOptions, repositoryTyped } from '../../renderer/state/launch/repositories.ts'
import { connectedProviders } from '../../renderer/state/settings/provider-tokens.ts'
import { appConversationStartRequest } from '../../server/api/v1/conversation/starts.ts'

const used = [
  { selected_repository: 'zoo/tiger', git_provider: 'gitlab' as const },
  { selected_repository: null, git_provider: null },
  { selected_repository: 'https://git.example/shop.git', git_provider: null },
]
const found = [
  { full_name: 'octocat/hello', git_provider: 'github' as const },
  { full_name: 'zoo/tiger', git_provider: 'gitlab' as const },
  { full_name: 'zoo/tiger', git_provider: 'github' as const },
]

describe('repositories to choose from', () => {
  const options = repositoryOptions(used, found)

  test('begin with those of earlier conversations, and have each once at each provider', () => {
    expect(options).toEqual([
      { name: 'zoo/tiger', provider: 'gitlab', recent: true },
      { name: 'https://git.example/shop.git', provider: null, recent: true },
      { name: 'octocat/hello', provider: 'github', recent: false },
      { name: 'zoo/tiger', provider: 'github', recent: false },
    ])
  })

  test('lend their provider to a name that is typed', () => {
    expect(repositoryTyped('zoo/tiger ', options, ['github', 'gitlab'])).toEqual({
      repository: 'zoo/tiger ',
      provider: 'gitlab',
      branch: '',
    })
    expect(repositoryTyped('a/b', options, ['github', 'gitlab']).provider).toBe('')
  })

  test('of another name are of the only provider with a token, and an address is of none', () => {
    expect(repositoryTyped('a/b', [], ['gitlab']).provider).toBe('gitlab')
    expect(repositoryTyped('https://git.example/a/b', [], ['gitlab']).provider).toBe('')
  })
})

describe('a request', () => {
  const draft = { ...EMPTY_DRAFT, text: 'Fix it', repository: 'zoo/cats/tiger', provider: 'gitlab' as const }

  test('names the provider, and the launcher finds it again', () => {
    const request = appConversationStartRequest.parse(requestOf(draft))
    expect(request.git_provider).toBe('gitlab')
    expect(draftOf(request)).toEqual(draft)
    expect(requestOf({ ...draft, provider: '' })).not.toHaveProperty('git_provider')
  })

  test('may name the repository of a person at Bitbucket Data Center', () => {
    expect(problemsOf({ ...draft, repository: '~jane/notes' })).toEqual({})
  })

  test('of a suggested task has its words and repository, and the model of the draft', () => {
    const written = { ...draft, folder: '/tmp/shop', branch: 'old', model: 'a/b' }
    const task = { repo: 'octocat/hello', issue_number: 1, title: 'Conflicting', prompt: 'Resolve them.' }
    expect(requestOfTask(written, task)).toEqual({
      initial_message: { role: 'user', content: [{ type: 'text', text: 'Resolve them.' }], run: true },
      selected_repository: 'octocat/hello',
      git_provider: 'github',
      llm_model: 'a/b',
      trigger: 'suggested_task',
    })
  })
})

test('providers that can be asked are those with a token and a service', () => {
  expect(connectedProviders({ provider_tokens_set: { gitlab: null, enterprise_sso: null, github: 'host' } })).toEqual([
    'github',
    'gitlab',
  ])
  expect(connectedProviders({ provider_tokens_set: { enterprise_sso: 'host' } })).toEqual(['enterprise_sso'])
  expect(connectedProviders(null)).toEqual([])
})
