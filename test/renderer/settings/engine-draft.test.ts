import { expect, test } from 'vitest'
import { checkEngine, choiceOf, EMPTY_ENGINE, withChosen } from '../../../renderer/state/settings/engine-draft.ts'
import type { AvailableEngine } from '../../../server/api/v1/system/engines.ts'

const address = { kind: 'kubernetes', context: 'team', namespace: null, image: null, image_pull_secrets: [] } as const
const team: AvailableEngine = {
  name: 'team',
  host: 'https://cluster.example',
  address: { ...address, image_pull_secrets: [] },
}
const chosen = withChosen(EMPTY_ENGINE, choiceOf(team), [team])

test('a cluster is added with its context alone', () => {
  expect(checkEngine(chosen, [team])).toEqual({ ok: true, request: { name: 'team', address } })
})

test('or with a namespace, an image and secrets, a name a line', () => {
  const draft = {
    ...chosen,
    namespace: ' agents ',
    image: 'registry.example/atelier/sandbox@sha256:0a1b',
    imagePullSecrets: 'one\n\n two \n',
  }
  expect(checkEngine(draft, [team])).toMatchObject({
    ok: true,
    request: {
      address: {
        context: 'team',
        namespace: 'agents',
        image: 'registry.example/atelier/sandbox@sha256:0a1b',
        image_pull_secrets: ['one', 'two'],
      },
    },
  })
})

test('what no cluster knows is said at its field', () => {
  const draft = { ...chosen, name: '', namespace: 'My Agents', image: 'no image', imagePullSecrets: 'one\nTWO' }
  const checked = checkEngine(draft, [team])
  expect(checked.ok ? [] : Object.keys(checked.errors).sort()).toEqual([
    'image',
    'imagePullSecrets',
    'name',
    'namespace',
  ])
})
