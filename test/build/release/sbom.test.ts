import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { thirdPartyNotices } from '../../../build/release/notices.mjs'
import { isAllowedLicense } from '../../../build/release/rules.mjs'
import { billOf, billOfMaterials } from '../../../build/release/sbom.mjs'
import { noticesIn } from '../../../renderer/state/third-party-notices.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const APP = { version: '1.2.3', epoch: 1_767_225_600 }

test('a bill of materials names each package once, with what finds, licenses and identifies it', () => {
  const scoped = {
    name: '@a/b',
    version: '1.0.0+c',
    license: 'MIT',
    integrity: 'sha512-AAEC',
    kind: 'library',
    isDirect: true,
    needs: ['pkg:npm/a@3.0.0'],
  } as const
  const plain = {
    name: 'a',
    version: '2.0.0',
    license: '(MIT OR ISC)',
    integrity: undefined,
    kind: 'library',
    isDirect: false,
    needs: [],
  } as const
  const unknown = { ...plain, version: '3.0.0', license: undefined, integrity: 'sha1-AA== sha256-/w==' }
  const elsewhere = { ...scoped, isDirect: false, needs: ['pkg:npm/a@2.0.0', 'pkg:npm/a@3.0.0'] }
  expect(
    billOf(
      APP,
      [unknown, scoped, plain, elsewhere].map(part => ({ ...part, needs: [...part.needs] })),
    ),
  ).toEqual({
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
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
    dependencies: [
      { ref: 'pkg:generic/atelier@1.2.3', dependsOn: ['pkg:npm/%40a/b@1.0.0%2Bc'] },
      { ref: 'pkg:npm/%40a/b@1.0.0%2Bc', dependsOn: ['pkg:npm/a@2.0.0', 'pkg:npm/a@3.0.0'] },
      { ref: 'pkg:npm/a@2.0.0', dependsOn: [] },
      { ref: 'pkg:npm/a@3.0.0', dependsOn: [] },
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

test('the bill of the app says what depends on what, so that everything in it is there for a reason', () => {
  const { components, dependencies, metadata } = billOfMaterials(ROOT, { ...APP, electron: '9.8.7' })
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const app = metadata.component['bom-ref']
  expect([...needs.keys()]).toEqual([app, ...components.map(component => component['bom-ref'])])
  const reached = new Set([app])
  for (const ref of reached) for (const target of needs.get(ref) ?? []) reached.add(target)
  expect([...reached].sort()).toEqual([...needs.keys()].sort())
  const nameOf = (ref: string) => ref.replace(/@[^@]*$/, '')
  const byName = (name: string) => dependencies.find(({ ref }) => nameOf(ref) === `pkg:npm/${name}`)?.dependsOn
  expect(byName('dockerode')?.map(nameOf)).toContain('pkg:npm/docker-modem')
  expect(byName('electron')).toEqual([])
})

test('the bill of the app is valid by the schema of CycloneDX', () => {
  const bill = billOfMaterials(ROOT, { ...APP, electron: '9.8.7' })
  const validate = schema()
  expect(validate(JSON.parse(JSON.stringify(bill))), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ ...bill, dependencies: [{ dependsOn: [] }] })).toBe(false)
  const [component] = bill.components
  expect(validate({ ...bill, components: [{ ...component, licenses: [{ license: { id: 'Mine' } }] }] })).toBe(false)
})

test('the notices have every component of the bill, and nothing else, each with the text of its licence', () => {
  const bill = billOfMaterials(ROOT, { ...APP, electron: '9.8.7' })
  const notices = noticesIn(thirdPartyNotices(ROOT, bill))
  const titles = bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`)
  expect(notices.map(({ name, version }) => `${name} ${version}`)).toEqual(titles)
  expect(notices.find(({ name }) => name === 'zod')).toMatchObject({
    license: 'MIT',
    text: expect.stringContaining('Permission is hereby granted'),
  })
  expect(notices.find(({ name }) => name === 'electron')?.text).toContain('LICENSES.chromium.html')
  const [first, ...others] = bill.components
  const fewer = noticesIn(thirdPartyNotices(ROOT, { ...bill, components: others }))
  expect(fewer).toHaveLength(notices.length - 1)
  const strange = { ...first, 'bom-ref': 'pkg:npm/strange@1.0.0' } as (typeof bill.components)[number]
  expect(() => thirdPartyNotices(ROOT, { ...bill, components: [strange] })).toThrow('pkg:npm/strange@1.0.0')
})

/** As its makers publish it: https://github.com/CycloneDX/specification. */
function schema() {
  const library = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'))
  const read = (name: string) =>
    JSON.parse(readFileSync(join(library, 'res', 'schema', `${name}.SNAPSHOT.schema.json`), 'utf8'))
  const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
  // There is no address of mail and no IRI in what we write.
  const formats = { 'date-time': isTime, uri: URL.canParse, 'iri-reference': true, 'idn-email': true } as const
  const schemas = Object.fromEntries(
    ['spdx', 'jsf-0.82'].map(name => [`http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`, read(name)]),
  )
  const ajv = new Ajv({ strict: false, formats, schemas })
  return ajv.compile(read('bom-1.5'))
}
