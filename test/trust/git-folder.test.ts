import { expect, it } from 'vitest'
import { relevantLines } from '../../server/trust/git-folder.ts'

const CLONE = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = https://github.com/ann/shop.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
`
const of = (config: string) => relevantLines(config, 'github.com/ann/shop')

it('tells nothing of a configuration as git makes it', () => {
  expect(of(CLONE)).toBe('')
  expect(of(CLONE.replace('https://github.com/', 'git@github.com:'))).toBe('')
})

it.each([
  ['a program', '[core]\n\tfsmonitor = evil\n'],
  ['a program beside the name of its section', '[core] fsmonitor = evil\n'],
  ['a program in a value that goes on', '[user]\n\tname = a\\\n[core]\n\tfsmonitor = evil\n'],
  ['an alias', '[alias]\n\tstatus = !evil\n'],
  ['another file', '[include]\n\tpath = /tmp/evil\n'],
  ['a filter', '[filter "x"]\n\tclean = evil\n'],
  ['another address', '[url "https://evil.example/"]\n\tinsteadOf = https://github.com/\n'],
  ['a branch of an address', '[branch "main"]\n\tremote = /tmp/evil\n'],
  ['a remote that is a program', '[remote "x"]\n\turl = ext::sh -c evil\n'],
  ['a remote that is a folder', '[remote "x"]\n\turl = file://github.com/ann/shop\n'],
  ['a quote that hides the end of a line', '[user]\n\tname = "a\n[core]\n\tfsmonitor = evil\n'],
  ['a very long line', `[user]\n\tname = ${'x'.repeat(100_000)}\n`],
])('tells of %s', (_what, config) => {
  expect(of(`${CLONE}${config}`)).not.toBe('')
})
