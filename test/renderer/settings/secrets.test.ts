import { describe, expect, test } from 'vitest'
import { draftProblems, tokensWith } from '../../../renderer/state/settings/provider-tokens.ts'
import { changeOf, EMPTY_SECRET, newSecretOf, secretErrors } from '../../../renderer/state/settings/secret-draft.ts'

describe('provider tokens', () => {
  const connected = { github: null, gitlab: 'git.example.org' }

  test('a change of one names the others, so that they are kept with their hosts', () => {
    expect(tokensWith(connected, 'bitbucket', { token: ' t ', host: '' })).toEqual({
      github: { host: null },
      gitlab: { host: 'git.example.org' },
      bitbucket: { token: 't', host: null },
    })
  })

  test('a new host without a token keeps the token', () => {
    const sent = tokensWith(connected, 'gitlab', { token: '', host: 'other.example.org' })
    expect(sent).toEqual({ github: { host: null }, gitlab: { token: null, host: 'other.example.org' } })
  })

  test('a removed one is not named', () => {
    expect(tokensWith(connected, 'github', null)).toEqual({ gitlab: { host: 'git.example.org' } })
  })

  test('a token is needed only where none is stored', () => {
    expect(draftProblems({ token: ' ', host: '' }, false)).toHaveProperty('token')
    expect(draftProblems({ token: '', host: '' }, true)).toEqual({})
    expect(draftProblems({ token: 't', host: 'a b' }, true)).toHaveProperty('host')
    expect(draftProblems({ token: 't', host: ' ' }, false, true)).toHaveProperty('host')
  })
})

describe('a custom secret', () => {
  const draft = { name: ' NPM_TOKEN ', value: ' a b ', description: ' For npm. ' }

  test('keeps the spaces of its value, and no others', () => {
    expect(newSecretOf(draft)).toEqual({ name: 'NPM_TOKEN', value: ' a b ', description: 'For npm.' })
  })

  test('keeps its value when none is given', () => {
    expect(changeOf({ ...draft, value: '' })).toMatchObject({ value: null })
    expect(secretErrors({ ...draft, value: '' }, { taken: [], valueIsSet: true })).toEqual({})
  })

  test.each([
    ['name', { ...draft, name: ' ' }],
    ['name', { ...draft, name: 'git-providers' }],
    ['name', { ...draft, name: 'TAKEN' }],
    ['value', { ...draft, value: '' }],
    ['value', { ...draft, value: 'x'.repeat(65_537) }],
  ])('is refused at its %s', (field, wrong) => {
    expect(Object.keys(secretErrors(wrong, { taken: ['TAKEN'], valueIsSet: false }))).toEqual([field])
  })

  test('starts without any value', () => {
    expect(Object.values(EMPTY_SECRET)).toEqual(['', '', ''])
  })
})
