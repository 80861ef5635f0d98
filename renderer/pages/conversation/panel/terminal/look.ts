import type { TerminalLook } from './xterm.ts'

/** Colours of programs, by the tokens that are closest to them. */
const COLOURS = {
  foreground: 'ink',
  background: 'canvas',
  cursor: 'ink',
  cursorAccent: 'canvas',
  selectionBackground: 'selected',
  black: 'faint',
  red: 'bad',
  green: 'good',
  yellow: 'wait',
  blue: 'accent',
  magenta: 'limit',
  cyan: 'code-type',
  white: 'soft',
  brightBlack: 'faint',
  brightRed: 'bad',
  brightGreen: 'good',
  brightYellow: 'wait',
  brightBlue: 'accent',
  brightMagenta: 'limit',
  brightCyan: 'code-type',
  brightWhite: 'ink',
} as const

/** The colours and the font of the window as they are now: light or dark. */
export function lookOf(element: HTMLElement): Pick<TerminalLook, 'theme' | 'fontFamily'> {
  const probe = element.ownerDocument.createElement('span')
  element.append(probe)
  const colourOf = (token: string) => {
    probe.style.color = `var(--color-${token})`
    return getComputedStyle(probe).color
  }
  const theme = Object.fromEntries(Object.entries(COLOURS).map(([name, token]) => [name, colourOf(token)]))
  const fontFamily = getComputedStyle(probe).getPropertyValue('--font-mono') || 'monospace'
  probe.remove()
  return { theme, fontFamily }
}
