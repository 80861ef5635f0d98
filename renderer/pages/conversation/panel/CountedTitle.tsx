/** The title of a tab with the number of what it holds. */
export function CountedTitle({ title, amount }: { title: string; amount: number }) {
  return (
    <>
      {title} {amount > 0 && <span className="text-faint tabular">{amount}</span>}
    </>
  )
}
