import { linkTarget } from '../../../state/conversation/sandbox-link.ts'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { t } from '../timeline/text.ts'
import { useSandbox } from '../use-sandbox.ts'
import { openLink } from './open-link.ts'
import { useShowPort } from './use-open-port.ts'

/** Follows the address of a web page that a program in the sandbox has written: its localhost is the sandbox. */
export function useFollowLink(): (address: string) => void {
  const openPort = useShowPort()
  const { isUsable } = useSandbox()
  return address => {
    const target = linkTarget(address, isUsable)
    if (target?.kind === 'web') openLink(target.url)
    else if (target?.kind === 'sandbox') openPort(target)
    else if (target) notifyDone(t('portIsClosed', { port: String(target.port) }))
  }
}
