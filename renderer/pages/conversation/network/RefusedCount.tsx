import { refusedCount } from '../../../state/network/attempts.ts'
import { t } from './text.ts'
import { useNetwork } from './use-network.ts'

/** How many hosts the network policy refuses to the sandbox; nothing where there are none. */
export function RefusedCount() {
  const count = refusedCount(useNetwork().rows)
  if (count === 0) return null
  const words = t('refusedHosts', { count })
  return (
    <span title={words} className="text-bad tabular">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{words}</span>
    </span>
  )
}
