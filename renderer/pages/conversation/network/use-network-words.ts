import { NETWORK_WORDS } from '../../../state/network/words.ts'
import { t } from './text.ts'
import { useNetwork } from './use-network.ts'

/** The network in a few words: for a menu, and what limits it; null for the internet. */
export function useNetworkWords(): { menu: string; limit: string | null } {
  const { network } = useNetwork()
  const kind = network?.network ?? 'full'
  const words = { network: NETWORK_WORDS[kind].label }
  return { menu: t('networkIsMenu', words), limit: kind === 'full' ? null : t('networkIs', words) }
}
