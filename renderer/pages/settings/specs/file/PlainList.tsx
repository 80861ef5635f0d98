/** Paths and names as they are, under a sentence; nothing where there are none. */
export function PlainList({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div>
      <p>{title}</p>
      <ul aria-label={title} className="mt-1 list-disc ps-5">
        {items.map(item => (
          <li key={item} className="font-mono text-sm break-all">
            <bdi>{item}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
