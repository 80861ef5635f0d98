import { describe, expect, test } from 'vitest'
import {
  draftOf,
  EMPTY_DRAFT,
  imagesOf,
  leavesModelOut,
  parseDraft,
  problemsOf,
  requestOf,
  withoutDevContainer,
} from '../../renderer/state/launch/launch.ts'
import { choiceProblem, choiceSettings, EMPTY_CHOICE } from '../../renderer/state/settings/model-choice.ts'
import { appConversationStartRequest } from '../../server/api/v1/conversation/starts.ts'

const draft = (fields: Partial<typeof EMPTY_DRAFT>) => ({ ...EMPTY_DRAFT, text: 'Fix it', ...fields })

describe('a draft', () => {
  test('of a dev container leaves the spec out, and another repository leaves the dev container out', () => {
    const path = '.devcontainer/devcontainer.json'
    const chosen = draft({ repository: 'acme/shop', spec: 'own', devContainer: path })
    expect(requestOf(chosen)).toMatchObject({ dev_container: { path } })
    expect(requestOf(chosen)).not.toHaveProperty('sandbox_spec_id')
    expect(draftOf(appConversationStartRequest.parse(requestOf(chosen)))).toMatchObject({ devContainer: path })
    expect(withoutDevContainer({ branch: 'next' })).toEqual({ branch: 'next', devContainer: '' })
    expect(withoutDevContainer({ text: 'Fix it' })).toEqual({ text: 'Fix it' })
  })

  test('asks only for what was chosen; the rest is the settings’ to decide', () => {
    expect(requestOf(draft({ text: ' Fix it ' }))).toEqual({
      initial_message: { role: 'user', content: [{ type: 'text', text: 'Fix it' }], run: true },
    })
  })

  test('keeps the space that is typed before the next word', () => {
    const typed = draft({ text: 'Fix ', folder: '/home/me/My ' })
    expect(parseDraft(JSON.stringify(typed))).toEqual(typed)
    expect(requestOf(typed)).toMatchObject({ source: { path: '/home/me/My' } })
  })

  test('says what the sandbox reaches, and gets it back from a failed start', () => {
    const limited = draft({ network: 'allowlist', allowlist: { presets: ['code'], hosts: ['a.test'] } })
    const request = appConversationStartRequest.parse(requestOf(limited))
    expect(request.network_policy).toEqual({
      network: 'allowlist',
      allowlist: { presets: ['code'], hosts: ['a.test'] },
    })
    expect(draftOf(request)).toMatchObject({ network: limited.network, allowlist: limited.allowlist })
    expect(requestOf({ ...limited, network: '' })).not.toHaveProperty('network_policy')
  })

  test('with every chip becomes a request that the service takes', () => {
    const full = draft({
      repository: 'acme/shop',
      branch: 'main',
      spec: 'img',
      model: 'a/b',
      steps: '20',
      budget: '1.5',
      plan: true,
      confirmation: 'risky',
    })
    expect(appConversationStartRequest.parse(requestOf(full))).toMatchObject({
      selected_repository: 'acme/shop',
      selected_branch: 'main',
      sandbox_spec_id: 'img',
      llm_model: 'a/b',
      max_iterations: 20,
      max_budget_per_task: 1.5,
      agent_type: 'plan',
      confirmation_policy: { kind: 'ConfirmRisky', threshold: 'HIGH' },
      security_analyzer: 'local',
    })
  })

  test('with a folder of this computer asks for its copy, and comes back from its request', () => {
    const full = draft({ folder: '/home/me/shop', folderChanges: false })
    const request = appConversationStartRequest.parse(requestOf(full))
    const source = { kind: 'folder', path: '/home/me/shop', include_changes: false, confirm_in_place: false }
    expect(request.source).toEqual({ ...source, mode: 'copy' })
    expect(draftOf(request)).toEqual(full)
    const inPlace = requestOf(draft({ folder: '/home/me/shop', folderMode: 'in_place' }))
    expect(inPlace.source).toEqual({ kind: 'folder', path: '/home/me/shop', mode: 'in_place', confirm_in_place: true })
    expect(requestOf(draft({ folder: '/home/me/shop', repository: 'acme/shop' }))).not.toHaveProperty('source')
    expect(problemsOf(draft({ folder: 'C:\\work\\shop' }))).toEqual({})
  })

  test('brings its pictures along, and they can be taken back from its request', () => {
    const pictures = ['data:image/png;base64,AAAA', 'data:image/png;base64,BBBB']
    expect(imagesOf(appConversationStartRequest.parse(requestOf(draft({}), { images: pictures, files: [] })))).toEqual(
      pictures,
    )
  })

  test('names a saved model in place of any other, and the files that wait', () => {
    const files = [{ id: 'one', name: 'a.csv' }]
    const request = requestOf(draft({ profile: 'spare', model: 'openai/gpt' }), { images: [], files })
    expect(request).toMatchObject({ profile: 'spare', attachments: files })
    expect(request).not.toHaveProperty('llm_model')
    // The service says which model that was.
    const kept = appConversationStartRequest.parse({ ...request, llm_model: 'openai/good' })
    expect(draftOf(kept)).toMatchObject({ profile: 'spare', model: '' })
  })

  test('a branch that was typed for a repository since removed is not sent', () => {
    expect(requestOf(draft({ branch: 'main' }))).not.toHaveProperty('selected_branch')
  })

  test.each([
    'acme/shop',
    'https://git.example/a/b.git',
    'git@example.org:a/b.git',
    'ssh://git@h/a',
    'http://172.17.0.1:3000/a.git',
  ])('takes the repository %s', repository => {
    expect(problemsOf(draft({ repository }))).toEqual({})
  })

  test.each([
    [{ text: '  ' }, 'text'],
    [{ repository: 'shop' }, 'repository'],
    [{ folder: 'shop' }, 'folder'],
    [{ repository: '--upload-pack=x' }, 'repository'],
    [{ steps: '0' }, 'steps'],
    [{ steps: 'ten' }, 'steps'],
    [{ budget: '-2' }, 'budget'],
  ] as const)('%j is refused at its field', (fields, name) => {
    expect(Object.keys(problemsOf(draft(fields)))).toEqual([name])
  })

  test.each(['', 'not json', '{"text":1}', '[]'])('that cannot be read back (%j) starts empty', stored => {
    expect(parseDraft(stored)).toEqual(EMPTY_DRAFT)
  })

  test('comes back from its request, so that a failed start loses nothing', () => {
    const full = draft({
      repository: 'acme/shop',
      branch: 'main',
      model: 'a/b',
      steps: '20',
      budget: '1.5',
      plan: true,
      confirmation: 'always',
    })
    expect(draftOf(appConversationStartRequest.parse(requestOf(full)))).toEqual(full)
  })

  test('that an earlier version stored keeps what it has', () => {
    expect(
      parseDraft('{"text":"Fix it","repository":"","branch":"","spec":"","model":"","steps":"","budget":""}'),
    ).toEqual(draft({}))
  })

  test('is kept where what it took the place of cannot be read back', () => {
    const stored = { ...draft({}), replaced: [{ by: 'task', text: 'Fix it', before: { text: 'Another' } }] }
    expect(parseDraft(JSON.stringify(stored))).toEqual(draft({}))
  })

  test('is read back as it was stored', () => {
    expect(parseDraft(JSON.stringify(draft({ steps: '3' })))).toEqual(draft({ steps: '3' }))
  })
})

describe('a first model', () => {
  test('of a provider clears the address that another one left behind', () => {
    expect(choiceSettings({ ...EMPTY_CHOICE, model: 'anthropic/x', key: ' k ', baseUrl: 'http://old' })).toEqual({
      llm_model: 'anthropic/x',
      llm_base_url: null,
      llm_api_key: 'k',
    })
  })

  test('without a typed key leaves the stored one alone', () => {
    expect(choiceSettings({ ...EMPTY_CHOICE, model: 'anthropic/x' })).not.toHaveProperty('llm_api_key')
  })

  test('needs a key, unless one is stored or the server is one’s own', () => {
    const model = { ...EMPTY_CHOICE, model: 'anthropic/x' }
    expect(choiceProblem(model, false)).toMatch(/key/)
    expect(choiceProblem(model, true)).toBeNull()
    expect(choiceProblem({ ...model, provider: 'compatible', baseUrl: 'http://localhost:1/v1' }, false)).toBeNull()
    expect(choiceProblem({ ...model, provider: 'compatible' }, false)).toMatch(/address/)
  })
})

test.each([
  ['nothing', {}, true],
  ['a model', { model: 'openai/one' }, false],
  ['a saved model', { profile: 'spare' }, false],
  ['attempts with their models', { attempts: [named('openai/one'), { model: '', profile: 'spare' }] }, false],
  ['attempts of which one has none', { attempts: [named('openai/one'), named(' ')] }, true],
])('a draft that names %s leaves the model to the settings, or does not', (_what, fields, leavesOut) => {
  expect(leavesModelOut({ ...EMPTY_DRAFT, ...fields })).toBe(leavesOut)
})

function named(model: string) {
  return { model, profile: '' }
}
