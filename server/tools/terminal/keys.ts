const KEYS: Readonly<Record<string, string>> = {
  UP: '\x1b[A',
  DOWN: '\x1b[B',
  RIGHT: '\x1b[C',
  LEFT: '\x1b[D',
  HOME: '\x1b[H',
  END: '\x1b[F',
  PGUP: '\x1b[5~',
  PGDN: '\x1b[6~',
  TAB: '\t',
  ESC: '\x1b',
  BS: '\x7f',
  ENTER: '\r',
  'C-\\': '\x1c',
  'C-[': '\x1b',
  'C-]': '\x1d',
}

/** The bytes that a terminal sends for a key's name (`C-c`, `UP`); undefined for anything else. */
export function keySequence(name: string): string | undefined {
  const control = /^C-([a-z])$/i.exec(name)?.[1]
  if (control) return String.fromCharCode(control.toLowerCase().charCodeAt(0) - 0x60)
  return Object.hasOwn(KEYS, name) ? KEYS[name] : undefined
}

/** What a program receives for typed text: Enter is a carriage return, as on a keyboard. */
export function typedText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\n', '\r')
  return lines.endsWith('\r') ? lines : `${lines}\r`
}

/** Keys that models send without saying that they are input; none of them is a command. */
export function isControlKey(command: string): boolean {
  return /^C-[a-z]$/i.test(command.trim())
}
