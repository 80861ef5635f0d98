import { describe, expect, test } from 'vitest'
import {
  EMPTY_POLICY,
  editedPolicy,
  type PolicyEdit,
  readHosts,
  reversed,
} from '../../../renderer/state/network/policy.ts'
import { editWords, problemWords } from '../../../renderer/state/network/words.ts'
import { MAX_HOSTS, type NetworkPolicyInfo } from '../../../server/api/v1/sandbox/network.ts'

const policy: NetworkPolicyInfo = {
  network: 'allowlist',
  allowlist: { presets: ['packages'], hosts: ['one.test', 'two.test', 'three.test'] },
}

describe('an edit', () => {
  test.each<PolicyEdit>([
    { kind: 'network', network: 'none' },
    { kind: 'preset', preset: 'packages', isOn: false },
    { kind: 'preset', preset: 'code', isOn: true },
    { kind: 'add', hosts: ['four.test', 'five.test'] },
    { kind: 'remove', hosts: ['two.test'] },
  ])('%j is taken back, each thing at its place', edit => {
    const edited = editedPolicy(policy, edit)
    expect(edited).not.toEqual(policy)
    expect(editedPolicy(edited, reversed(policy, edit))).toEqual(policy)
  })

  test('keeps, when it is taken back, what was changed meanwhile', () => {
    const first: PolicyEdit = { kind: 'remove', hosts: ['one.test'] }
    const second: PolicyEdit = { kind: 'remove', hosts: ['two.test'] }
    const both = editedPolicy(editedPolicy(policy, first), second)
    expect(editedPolicy(both, reversed(policy, first)).allowlist.hosts).toEqual(['one.test', 'three.test'])
  })

  test('that adds what is on the list takes nothing away when it is taken back', () => {
    const edit: PolicyEdit = { kind: 'add', hosts: ['one.test'] }
    expect(editedPolicy(editedPolicy(policy, edit), reversed(policy, edit)).allowlist.hosts).toContain('one.test')
  })

  test('of the network keeps the list', () => {
    expect(editedPolicy(policy, { kind: 'network', network: 'full' }).allowlist).toEqual(policy.allowlist)
  })

  test('is said in words', () => {
    expect(editWords({ kind: 'network', network: 'none' })).toBe('The sandbox reaches nothing now.')
    expect(editWords({ kind: 'add', hosts: ['a.test'] })).toBe('a.test is allowed now.')
    expect(editWords({ kind: 'add', hosts: ['a.test', 'b.test'] })).toBe('2 hosts are allowed now.')
    expect(editWords({ kind: 'preset', preset: 'code', isOn: false })).toBe('No longer allowed: Code hosts')
  })
})

describe('what is typed or pasted', () => {
  test('is one host, or several in lines, by commas or blanks', () => {
    const { hosts, refused } = readHosts(' a.test\n*.b.test, c.test:22\r\n\n[2001:db8::7] ', [])
    expect(hosts).toEqual(['a.test', '*.b.test', 'c.test:22', '[2001:db8::7]'])
    expect(refused).toEqual([])
  })

  test('may be an address from a browser', () => {
    expect(readHosts('https://docs.example.com/page?x=1 http://example.com:8080/', []).hosts).toEqual([
      'docs.example.com',
      'example.com:8080',
    ])
  })

  test.each([
    ['a.test/path', /without a path/],
    ['a.test:99999', /from 1 to 65535/],
    ['*.203.0.113.7', /no names below/],
    ['localhost:3000', /sandbox itself/],
    ['*.com', /\*\.example\.com/],
    ['A.test', undefined],
    ['listed.test', /on the list already/],
    ['LISTED.test.', /on the list already/],
  ])('%s is refused with what fits', (text, words) => {
    const said = problemWords(readHosts(text, ['listed.test']).refused)
    if (words) expect(said).toMatch(words)
    else expect(said).toBeUndefined()
  })

  test('is named where several do not fit, and the others are taken', () => {
    const read = readHosts('a.test */ b.test *.org', EMPTY_POLICY.allowlist.hosts)
    expect(read.hosts).toEqual(['a.test', 'b.test'])
    expect(problemWords(read.refused)).toMatch(/^\*\/: .* \*\.org: /)
  })

  test('ends where a list is full', () => {
    const full = Array.from({ length: MAX_HOSTS }, (_, index) => `h${index}.test`)
    expect(problemWords(readHosts('one-more.test', full).refused)).toContain(String(MAX_HOSTS))
  })
})
