import { expect, test } from 'vitest'
import { hostLabel, portIn } from '../../server/preview/host-names.ts'
import { isSameKey } from '../../server/secret/same-key.ts'

const target = { sandboxId: 'atelier-1sUkbBDlD078kLc65lgFnS', port: 5173 }

test('a name is a label of DNS that says its port, and another one for each key, sandbox and port', () => {
  const label = hostLabel('key', target)
  expect(label).toMatch(/^5173-[a-z2-7]{26}$/)
  expect(hostLabel('key', target)).toBe(label)
  const others = [
    hostLabel('other key', target),
    hostLabel('key', { ...target, port: 5174 }),
    hostLabel('key', { ...target, sandboxId: target.sandboxId.toLowerCase() }),
  ]
  expect(new Set([label, ...others].map(each => each.split('-')[1])).size).toBe(4)
})

test('the port of a name is read where it has the form of one', () => {
  const mac = 'a'.repeat(26)
  expect(portIn(`80-${mac}`)).toBe(80)
  expect(portIn(`65535-${mac}`)).toBe(65_535)
  for (const label of [`65536-${mac}`, `0-${mac}`, `080-${mac}`, `80-${mac}a`, `80${mac}`, '80-', '', `-${mac}`]) {
    expect(portIn(label)).toBeUndefined()
  }
  expect(isSameKey('80-a', '80-a')).toBe(true)
  expect(isSameKey('80-a', '80-b')).toBe(false)
  expect(isSameKey('80-a', '80-ab')).toBe(false)
})
