import { expect, it } from 'vitest'
import { referencedPaths } from '../../server/trust/references.ts'

const namedIn = (text: string, path = '.openhands/setup.sh') => referencedPaths({ path, text })

it.each([
  ['a word', 'sh tools/a.sh'],
  ['a path from the root of the repository', '. /tools/a.sh'],
  ['an assignment', 'SCRIPT=tools/a.sh; sh "$SCRIPT"'],
  ['the value of an option', 'bash --rcfile=tools/a.sh'],
  ['an option of one letter that is joined with its value', 'node -rtools/a.sh || curl -d@tools/a.sh x'],
  ['a list', 'load tools/b.sh,tools/a.sh'],
  ['the path after a variable', 'sh $ROOT/tools/a.sh'],
  ['quotes', `sh 'tools/a.sh' "tools/b.sh"`],
  ['a folder that the script goes to', 'cd tools && sh a.sh'],
  ['a folder that an option names', 'make -C tools a.sh'],
])('a file that a script names is found in %s', (_where, text) => {
  expect(namedIn(text)).toContain('tools/a.sh')
})

it('a file is found from the script’s own folder too', () => {
  expect(namedIn('. ./lib.sh')).toEqual(expect.arrayContaining(['lib.sh', '.openhands/lib.sh']))
})

it('a file is found whose name has spaces or letters of other languages', () => {
  expect(namedIn('sh "tools/my script.sh" Werkzeuge/größe.sh')).toEqual(
    expect.arrayContaining(['tools/my script.sh', 'Werkzeuge/größe.sh']),
  )
})

it('nothing outside of the repository is a file of it, nor the script itself', () => {
  expect(namedIn('cat ../../etc/passwd ../setup.sh; sh .openhands/setup.sh')).not.toContain('../../etc/passwd')
  expect(namedIn('sh .openhands/setup.sh')).not.toContain('.openhands/setup.sh')
})

it('a script of nothing but folders and names is not gone through for ever', () => {
  const text = Array.from({ length: 5_000 }, (_, number) => `cd f${number}; sh ../../${number}`).join('\n')
  const before = performance.now()
  expect(namedIn(text)).toBeNull()
  expect(performance.now() - before).toBeLessThan(1_000)
})
