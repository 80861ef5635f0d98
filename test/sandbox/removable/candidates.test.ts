import { expect, it } from 'vitest'
import { candidates } from '../../../server/sandbox/removable/candidates.ts'

const layer = (id: string, labels: Record<string, string>, isUsed = false) => ({
  ...{ id, names: [], labels, bytes: 10, createdAt: null, isUsed },
})

it('what builds have left can go, unless one is under way, a container has it or it is somebody else’s', () => {
  const of = (spec: string, instance = 'mine') => ({
    'dev.atelier.instance': instance,
    'dev.atelier.spec-image': spec,
  })
  const images = [
    layer('sha256:left', of('one')),
    layer('sha256:building', of('two')),
    layer('sha256:used', of('one'), true),
    layer('sha256:foreign', of('one', 'another')),
    layer('sha256:inherited', { 'dev.atelier.instance': 'mine', 'dev.atelier.spec-image': '' }),
    layer('sha256:unknown', {}),
  ]
  const found = candidates({
    usage: { containers: [], images, volumes: [] },
    sandboxes: [],
    isAtRest: () => false,
    conversationsIn: () => [],
    images: { bundled: null, ofSpecs: [], instanceId: 'mine' },
    isBuilding: specId => specId === 'two',
  })
  expect(found).toMatchObject([{ kind: 'build_layers', id: 'sha256:left', may_hold_work: false }])
})
