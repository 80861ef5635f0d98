import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BOUNDS, type Bound } from '../../server/domain/bounds.ts'

const FILE = join(import.meta.dirname, '../../docs/configuration.md')
const TABLE = /(?<=<!-- bounds -->\n\n)[\s\S]*?(?=\n<!-- \/bounds -->)/

test('docs/configuration.md shows the table of bounds as the code has it (update it with vitest -u)', async () => {
  const document = readFileSync(FILE, 'utf8')
  expect(document).toMatch(TABLE)
  await expect(document.replace(TABLE, () => table(Object.values(BOUNDS)))).toMatchFileSnapshot(FILE)
})

function table(bounds: readonly Bound[]): string {
  const rows = bounds.map(({ of, limit, unit, beyond }) => `| ${of} | ${amount(limit, unit)} | ${beyond} |`)
  return ['| what | bound | beyond it |', '|---|---|---|', ...rows, ''].join('\n')
}

function amount(limit: number, unit: Bound['unit']): string {
  if (unit === 'bytes' && limit % 1_048_576 === 0) return `${limit / 1_048_576} MiB`
  if (unit === 'bytes' && limit % 1024 === 0) return `${limit / 1024} KiB`
  if (unit === 'milliseconds' && limit % 1000 === 0) return `${limit / 1000} s`
  return `${limit.toLocaleString('en-US')} ${unit}`
}
