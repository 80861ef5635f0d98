const SYMBOLS: Readonly<Record<string, [mac: string, other: string]>> = {
  Mod: ['⌘', 'Ctrl'],
  Shift: ['⇧', 'Shift'],
  Alt: ['⌥', 'Alt'],
  Enter: ['↵', 'Enter'],
}

const isMac = () => /Mac/i.test(navigator.platform)

/** `Mod+K`: Mod is Command on a Mac and Ctrl elsewhere. */
export function Kbd({ keys }: { keys: string }) {
  const mac = isMac()
  return (
    <kbd className="inline-flex items-center gap-0.5 font-sans text-xs text-faint">
      {keys.split('+').map(key => (
        <span key={key} className="min-w-4 rounded-sm border border-line px-1 text-center leading-[14px]">
          {SYMBOLS[key]?.[mac ? 0 : 1] ?? key}
        </span>
      ))}
    </kbd>
  )
}
