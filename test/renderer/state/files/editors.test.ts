import { expect, test } from 'vitest'
import { whyNoAddress } from '../../../../renderer/state/files/editors.ts'

test('an editor has no address for files of a cluster, of another computer, or of a container that it cannot open', () => {
  const code = { opensContainers: true }
  const zed = { opensContainers: false }
  for (const editor of [code, zed]) expect(whyNoAddress(editor, { engine: 'kubernetes', isMounted: true })).toBeNull()
  expect(whyNoAddress(zed, { engine: 'default', isMounted: false })).toBe('onlyMounted')
  expect(whyNoAddress(code, { engine: 'kubernetes', isMounted: false })).toBe('inCluster')
  expect(whyNoAddress(code, { engine: 'host', isMounted: false })).toBe('onOtherComputer')
  for (const engine of ['default', 'context', 'socket', undefined] as const)
    expect(whyNoAddress(code, { engine, isMounted: false })).toBeNull()
})
