import { t } from './text.ts'

/** A budget counts nothing as long as nobody knows what the model costs. */
export function BudgetNote() {
  return (
    <p role="note" className="mt-1 w-full text-sm text-wait">
      {t('priceOfModel')}
    </p>
  )
}
