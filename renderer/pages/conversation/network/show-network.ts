import { useOpenConversation } from '../context.ts'

/** Of the part of the details about the network. */
export const NETWORK_PART = 'network-part'

/** Shows the details where they are about the network, and goes there. */
export function useShowNetwork(): () => void {
  const { showTab } = useOpenConversation()
  return () => {
    showTab('details')
    // A sheet comes with the next frame, and what was left gets the focus back before.
    setTimeout(() => {
      const part = document.getElementById(NETWORK_PART)
      const scroller = part?.closest('[role=tabpanel]')
      if (!part || !scroller) return
      scroller.scrollTop += part.getBoundingClientRect().top - scroller.getBoundingClientRect().top - MARGIN
      part.focus({ preventScroll: true })
    }, SHOWN_MS)
  }
}

const SHOWN_MS = 60
/** px above its title. */
const MARGIN = 16
