/** The same with every `$name` replaced. */
export async function filled<Value>(value: Value, resolve: (name: string) => Promise<string>): Promise<Value> {
  if (typeof value === 'string') return (/^\$\w+$/.test(value) ? await resolve(value.slice(1)) : value) as Value
  if (Array.isArray(value)) return (await Promise.all(value.map(one => filled(one, resolve)))) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = await Promise.all(
    Object.entries(value).map(async ([name, one]) => [name, await filled(one, resolve)]),
  )
  return Object.fromEntries(entries) as Value
}
