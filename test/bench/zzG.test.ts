import { test } from 'vitest'
import measure from './sockets.ts'
test('x', async () => { console.log(JSON.stringify(await measure(), null, 1)) }, 120000)
