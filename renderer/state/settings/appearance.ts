import { preferenceKey, usePreference } from './preference.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** How many times larger than usual all text is. */
export const TEXT_SIZES = { small: 0.9, usual: 1, large: 1.15, larger: 1.3 } as const
export type TextSize = keyof typeof TEXT_SIZES

const CHANGED = 'atelier:appearance'

/** Gives the window the looks that were chosen in it, as early as it can. */
export function applyAppearance(): void {
  const theme = themeOf(stored('theme'))
  const { style } = document.documentElement
  style.colorScheme = theme === 'system' ? '' : theme
  style.setProperty('--text-scale', String(TEXT_SIZES[textSizeOf(stored('text-size'))]))
  // Without its frame and menus in the same colours, the window works all the same.
  window.atelier?.setTheme(theme).catch(() => {})
  window.dispatchEvent(new Event(CHANGED))
}

/** Follows what is chosen in another window. */
export function followAppearance(): void {
  const names = [preferenceKey('theme'), preferenceKey('text-size')]
  window.addEventListener('storage', ({ key }) => {
    if (key !== null && names.includes(key)) applyAppearance()
  })
}

/** Hears when light becomes dark or dark light, by the system or by choice. @returns what ends that */
export function onColours(heard: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', heard)
  window.addEventListener(CHANGED, heard)
  return () => {
    system.removeEventListener('change', heard)
    window.removeEventListener(CHANGED, heard)
  }
}

export function useAppearance() {
  const [theme, storeTheme] = usePreference('theme', 'system')
  const [textSize, storeTextSize] = usePreference('text-size', 'usual')
  return {
    theme: themeOf(theme),
    setTheme: (next: Theme) => {
      storeTheme(next)
      applyAppearance()
    },
    textSize: textSizeOf(textSize),
    setTextSize: (next: TextSize) => {
      storeTextSize(next)
      applyAppearance()
    },
  }
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(preferenceKey(name))
  } catch {
    return null
  }
}

function themeOf(value: string | null): Theme {
  return THEMES.find(theme => theme === value) ?? 'system'
}

function textSizeOf(value: string | null): TextSize {
  return value !== null && Object.hasOwn(TEXT_SIZES, value) ? (value as TextSize) : 'usual'
}
