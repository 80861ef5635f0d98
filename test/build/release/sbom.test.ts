import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAllowedLicense } from '../../../build/release/rules.mjs'
import { billOf, billOfMaterials } from '../../../build/release/sbom.mjs'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const APP = { version: '1.2.3', epoch: 1_767_225_600 }

test('a bill of materials names each package once, with what finds, licenses and identifies it', () => {
  const scoped = {
    name: '@a/b',
    version: '1.0.0+c',
    license: 'MIT',
    integrity: 'sha512-AAEC',
    kind: 'library',
  } as const
  const plain = { name: 'a', version: '2.0.0', license: '(MIT OR ISC)', integrity: undefined, kind: 'library' } as const
  const unknown = { ...plain, version: '3.0.0', license: undefined, integrity: 'sha1-AA== sha256-/w==' }
  expect(billOf(APP, [unknown, scoped, plain, scoped])).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: '2026-01-01T00:00:00.000Z',
      component: {
        type: 'application',
        'bom-ref': 'pkg:generic/atelier@1.2.3',
        name: 'atelier',
        version: '1.2.3',
        purl: 'pkg:generic/atelier@1.2.3',
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: [
      {
        type: 'library',
        'bom-ref': 'pkg:npm/%40a/b@1.0.0%2Bc',
        group: '@a',
        name: 'b',
        version: '1.0.0+c',
        purl: 'pkg:npm/%40a/b@1.0.0%2Bc',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: '000102' }],
      },
      {
        type: 'library',
        'bom-ref': 'pkg:npm/a@2.0.0',
        name: 'a',
        version: '2.0.0',
        purl: 'pkg:npm/a@2.0.0',
        licenses: [{ expression: '(MIT OR ISC)' }],
      },
      {
        type: 'library',
        'bom-ref': 'pkg:npm/a@3.0.0',
        name: 'a',
        version: '3.0.0',
        purl: 'pkg:npm/a@3.0.0',
        hashes: [
          { alg: 'SHA-1', content: '00' },
          { alg: 'SHA-256', content: 'ff' },
        ],
      },
    ],
  })
})

test('the bill of the app has Electron and the packages that it carries, each with a licence and the hash of the lock file', () => {
  const { components } = billOfMaterials(ROOT, { ...APP, electron: '9.8.7' })
  const names = components.map(component => component?.purl.replace(/@[^@]*$/, ''))
  expect(names).toEqual(expect.arrayContaining(['pkg:npm/zod', 'pkg:npm/react', 'pkg:npm/%40github/keytar']))
  expect(components.find(component => component?.name === 'electron')).toMatchObject({
    type: 'framework',
    version: '9.8.7',
  })
  for (const component of components) {
    const [choice] = component?.licenses ?? []
    const expression = choice && ('expression' in choice ? choice.expression : choice.license.id)
    expect(isAllowedLicense(expression), component?.purl).toBe(true)
    if (component?.type === 'library') {
      expect(component.hashes?.[0]?.content, component.purl).toMatch(/^[0-9a-f]{128}$/)
    }
  }
})
