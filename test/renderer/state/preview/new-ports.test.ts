import { expect, test } from 'vitest'
import { newPorts, portKey } from '../../../../renderer/state/preview/new-ports.ts'

const vite = { port: 5173, program: 'node' }

test('a port is new once for each program', () => {
  const known = new Set([portKey(vite)])
  expect(newPorts(new Set(), [vite])).toEqual([vite])
  expect(newPorts(known, [vite])).toEqual([])
  expect(newPorts(known, [vite, { port: 5174, program: 'node' }])).toEqual([{ port: 5174, program: 'node' }])
  expect(newPorts(known, [{ port: 5173, program: 'python3' }])).toEqual([{ port: 5173, program: 'python3' }])
})

test('what runs beside the sandbox, and ports that nobody chose, are no news', () => {
  const database = { port: 5432, program: null }
  const debuggers = [32_768, 45_678, 60_999].map(port => ({ port, program: 'node' }))
  const chosen = [32_767, 61_000].map(port => ({ port, program: 'node' }))
  expect(newPorts(new Set(), [database, ...debuggers, ...chosen])).toEqual(chosen)
})
