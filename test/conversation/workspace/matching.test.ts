import { describe, expect, it } from 'vitest'
import { matchingPaths } from '../../../server/conversation/workspace/matching.ts'

const PATHS = [
  'README.md',
  'renderer/pages/conversation/composer/Composer.tsx',
  'renderer/pages/conversation/composer/ComposerBar.tsx',
  'renderer/pages/conversation/use-panel.ts',
  'server/composition/service.ts',
  'server/store/migrations.ts',
  'test/composer.test.ts',
]

const find = async (text: string, paths: readonly string[] = PATHS) =>
  (await matchingPaths(paths, text, { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY })).paths

describe('the paths that a text means', () => {
  it('have all of its words, in any order and case, the shortest name first', async () => {
    expect(await find('TSX composer')).toEqual([
      'renderer/pages/conversation/composer/Composer.tsx',
      'renderer/pages/conversation/composer/ComposerBar.tsx',
    ])
    expect(await find('server service')).toEqual(['server/composition/service.ts'])
  })

  it('have its letters in their order where none has its words, the best first', async () => {
    expect((await find('cmpsr'))[0]).toBe('renderer/pages/conversation/composer/Composer.tsx')
    expect((await find('smigr'))[0]).toBe('server/store/migrations.ts')
    expect((await find('usepnl'))[0]).toBe('renderer/pages/conversation/use-panel.ts')
  })

  it('are none for letters that no path has in that order', async () => {
    expect(await find('zzqx')).toEqual([])
    expect(await find('rspmoc')).toEqual([])
  })

  it('are told as a part where the time is over', async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `folder/${index}/some-file.ts`)
    const late = { signal: new AbortController().signal, deadline: 0 }
    expect((await matchingPaths(many, 'zzz', late)).partial).toBe(true)
  })

  it('are not looked for any longer than they are wanted', async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `folder/${index}/some-file.ts`)
    const given = new AbortController()
    const found = matchingPaths(many, 'sfl', { signal: given.signal, deadline: Number.POSITIVE_INFINITY })
    given.abort(new Error('enough'))
    await expect(found).rejects.toThrow('enough')
  })
})
