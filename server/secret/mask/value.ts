/** The same value with every text in it masked; names of fields stay. */
export function maskedValue<Value>(value: Value, mask: (text: string) => string): Value {
  return masked(value, mask) as Value
}

function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map(item => masked(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, masked(item, mask)]))
}
