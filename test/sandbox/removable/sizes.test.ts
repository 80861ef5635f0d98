import { expect, it } from 'vitest'
import { copyImage, LABEL } from '../../../server/docker/container/labels.ts'
import { sandboxSizes } from '../../../server/sandbox/removable/sizes.ts'

const volume = (name: string, owner: string, bytes: number, isUsed: boolean) => {
  return { name, labels: { [LABEL.sandbox]: owner }, bytes, isUsed, createdAt: null }
}

it('the size of a sandbox is all that goes with it: what it wrote, what it was copied from, and the data of its services', () => {
  const sizes = sandboxSizes({
    containers: [
      { name: 'copy', bytes: 1 },
      { name: 'plain', bytes: 10 },
    ],
    images: [{ id: 'sha256:1', names: [copyImage('copy')], labels: {}, bytes: 200, createdAt: null, isUsed: true }],
    volumes: [volume('a', 'copy', 1000, true), volume('b', 'copy', 2000, true), volume('left', 'copy', 9000, false)],
  })
  expect([...sizes]).toEqual([
    ['copy', 3201],
    ['plain', 10],
  ])
})
