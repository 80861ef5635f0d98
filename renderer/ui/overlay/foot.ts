/**
 * For the ref of what stands at the foot of a page and is used again and again, such as a bar with "Save" or what the
 * agent asks: messages then appear above it, and never take its clicks.
 */
export function foot(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  const { style } = document.documentElement
  const measure = () => style.setProperty('--foot', `${window.innerHeight - element.getBoundingClientRect().top}px`)
  const observer = new ResizeObserver(measure)
  observer.observe(element)
  window.addEventListener('resize', measure)
  return () => {
    observer.disconnect()
    window.removeEventListener('resize', measure)
    style.removeProperty('--foot')
  }
}
