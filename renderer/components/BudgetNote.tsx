/** A budget counts nothing as long as nobody knows what the model costs. */
export function BudgetNote() {
  return (
    <p role="note" className="mt-1 w-full text-sm text-wait">
      The price of the model is not known, so this budget does not stop it unless its server reports costs. Limit the
      steps instead.
    </p>
  )
}
