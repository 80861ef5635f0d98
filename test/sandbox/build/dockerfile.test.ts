import { describe, expect, test } from 'vitest'
import { checkDockerfile, checkTriggers } from '../../../server/sandbox/build/dockerfile.ts'

const check = (text: string, buildArgs: Record<string, string> = {}) => checkDockerfile(text, { buildArgs, labels: {} })

describe('the engine itself fetches nothing', () => {
  test.for([
    ['a URL', 'FROM a\nADD https://h/x /x'],
    ['in small letters, indented', 'FROM a\n   add http://h/x /x'],
    ['among files', 'FROM a\nADD a b https://h/x /x/'],
    ['after flags', 'FROM a\nADD --chown=1:1 --checksum=sha256:0 https://h/x /x'],
    ['as JSON', 'FROM a\nADD ["https://h/x", "/x"]'],
    ['as JSON with escapes', 'FROM a\nADD ["\\u0068ttps://h/x", "/x"]'],
    ['as JSON that is broken', 'FROM a\nADD ["https://h/x", "/x"'],
    ['in quotes', 'FROM a\nADD "https://h/x" /x'],
    ['in quotes in the middle', 'FROM a\nADD ht"tps:"//h/x /x'],
    ['with escapes', 'FROM a\nADD h\\ttps:/\\/h/x /x'],
    ['over two lines', 'FROM a\nADD \\\n  https://h/x \\\n  /x'],
    ['with the name over two lines', 'FROM a\nA\\\nDD https://h/x /x'],
    ['with a comment and an empty line between', 'FROM a\nA\\\n# no\n\n  # no\nDD https://h/x /x'],
    ['with another escape', '# escape=`\nFROM a\nADD `\nhttps://h/x /x'],
    ['with another escape, after another directive', '#syntax=x\n# EsCaPe = `\nFROM a\nA`\nDD https://h/x /x'],
    ['what the default escape would hide', '# escape=`\nFROM a\nRUN x \\\nADD https://h/x /x'],
    ['what a late directive would hide', 'FROM a\n# escape=`\nRUN x `\nADD https://h/x /x'],
    ['a variable', 'FROM a\nARG U=https://h/x\nADD $U /x'],
    ['a variable as JSON', 'FROM a\nADD ["${U}", "/x"]'],
    ['a repository', 'FROM a\nADD git@h:x/y.git /x'],
    ['a repository over ssh', 'FROM a\nADD ssh://git@h/x /x'],
    ['a trigger', 'FROM a\nONBUILD ADD https://h/x /x'],
    ['a trigger in other letters', 'FROM a\noNbUiLd  \t aDd https://h/x /x'],
    ['with line ends of Windows', 'FROM a\r\nADD \\\r\nhttps://h/x /x\r\n'],
    ['after a byte order mark', '\uFEFFFROM a\nADD https://h/x /x'],
    ['what looks like a here-document', 'FROM a\nRUN cat <<EOF\nADD https://h/x /x\nEOF'],
    ['a line end of its own', 'FROM a\nRUN x\rADD https://h/x /x'],
    ['a flag that hides a source', '# escape=`\nFROM a\nADD --chown="0${X:+ ["a","z} http://10.0.0.1/x /dst\\""]'],
    ['a list for one builder, words for another', 'FROM a\nADD [1, "http://h/x", "/x"]'],
    ['a network of RUN', 'FROM a\nRUN --network=host curl http://127.0.0.1/'],
    ['a network of RUN in a trigger', 'FROM a\nONBUILD RUN --network=host true'],
    ['a variable in what COPY takes from', 'FROM a\nCOPY --from=$X /a /b'],
    ['a flag of FROM that hides the image', 'FROM --platform="${X:+ debian:12 b }linux/amd64" evil/img'],
    ['more words of FROM', 'FROM a b c'],
    ['several escapes', 'FROM a\nRUN x \\\\\nADD https://h/x /x'],
  ])('%s', ([, text = '']) => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })

  test('not by a trigger of a base image either', () => {
    expect(() => checkTriggers('evil:1', ['RUN true', 'ADD http://169.254.169.254/ /x'])).toThrow('evil:1')
    const split = 'ADD h\\\nttp:\\\n/\\\n/169.254.169.254/x /x'
    for (const trigger of [split, 'RUN x\rADD http://h/x /x', 'ADD a b \\', 'RUN --network=host true']) {
      expect(() => checkTriggers('evil:1', [trigger])).toThrow('evil:1')
    }
    expect(() => checkTriggers('evil:1', ['COPY a b', 'ADD ./a.tar /x'])).not.toThrow()
  })
})

test('what builders could read in different ways is written anew, a line for an instruction', () => {
  const { text } = check(
    '# syntax=x\n# escape=`\nFROM a AS one\n\nRUN apt-get `\n  # why\n\n  update &&`\n  ls \\\nADD a.tar $HOME/\n',
  )
  expect(text).toBe('# escape=`\n\n\nFROM a AS one\n\nRUN apt-get   update &&  ls \\\n\n\n\n\nADD a.tar $HOME/\n\n')
})

test('labels are those of all that a build leaves', () => {
  const { text } = checkDockerfile('FROM a AS x\nRUN y\nFROM x', { buildArgs: {}, labels: { 'dev.a': 'b "c"' } })
  const label = 'LABEL "dev.a"="b \\"c\\""'
  expect(text).toBe(`# escape=\\\nFROM a AS x\n${label}\nRUN y\nFROM x\n${label}\n`)
})

describe('base images', () => {
  test.for<[string, Record<string, string>, string[]]>([
    ['FROM debian:12', {}, ['debian:12']],
    ['from --platform=linux/amd64 debian as x\nFROM X\nFROM scratch', {}, ['debian']],
    ['ARG V=12\nARG N="debian"\nFROM ${N}:$V', {}, ['debian:12']],
    ['ARG V=12\nFROM debian:${V}', { V: '13' }, ['debian:13']],
    ['ARG V\nFROM debian:${V:-11}', {}, ['debian:11']],
    ['ARG A=debian:12\nARG A\nFROM ${A:-other}', {}, ['other']],
    ['FROM a AS b\nFROM c\nCOPY --from=b /x /y\nCOPY --from=0 /x /y\nCOPY --from=d:1 /x /y', {}, ['a', 'c', 'd:1']],
    ['FROM --platform=$BUILDPLATFORM a', {}, ['a']],
  ])('%s', ([text, buildArgs, expected]) => {
    expect(check(text, buildArgs).baseImages).toEqual(expected)
  })

  test.for([
    'FROM $NONE',
    'FROM ${A:+b}',
    'ARG A=$B\nFROM x:$A',
    'FROM a\nARG B=1\nFROM x:$B',
    'RUN true',
    'FROM',
    'ARG A=1\\\nFROM x',
  ])('that cannot be told: %s', text => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })
})

test('a line that is no instruction is named', () => {
  expect(() => check('FROM a\n\nRUNN x')).toThrow('Line 3')
})

test('one that is larger than 64 KiB is refused', () => {
  expect(() => check(`FROM a\n${'#'.repeat(70_000)}`)).toThrow('64 KiB')
})
