/** @typedef {Record<string, string | number | boolean | null | undefined>} Row */

/**
 * The rows in aligned columns, one for each key, in the order in which the keys first come.
 * @param {readonly Row[]} rows
 */
export function table(rows) {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const lines = [columns, ...rows.map(row => columns.map(column => cell(row[column])))]
  const widths = columns.map((_, index) => Math.max(...lines.map(line => line[index]?.length ?? 0)))
  return lines
    .map(line =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** @param {Row[string]} value */
function cell(value) {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toPrecision(3)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value
}
