import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { BrowserWindow, Rectangle, Screen } from 'electron'

export interface WindowBounds {
  bounds: Rectangle | undefined
  maximized: boolean
}

const DEFAULT_SIZE = { width: 1280, height: 840 }
export const MIN_SIZE = { width: 640, height: 480 }

/** Where the window was, or nothing when the file is missing or makes no sense. */
export function readBounds(file: string): WindowBounds {
  try {
    return parseBounds(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { bounds: undefined, maximized: false }
  }
}

/** The file is in the user's hands, so nothing in it is taken on trust. */
export function parseBounds(value: unknown): WindowBounds {
  const { bounds, maximized } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const { x, y, width, height } = (typeof bounds === 'object' && bounds !== null ? bounds : {}) as Record<
    string,
    unknown
  >
  const complete = isWhole(x) && isWhole(y) && isWhole(width) && isWhole(height)
  return {
    bounds: complete ? { x, y, width, height } : undefined,
    maximized: maximized === true,
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/**
 * The remembered place when enough of its title bar can be grabbed on a display that is there now; else the default size. No larger than the
 * display, which has few pixels of its own at a scale such as 175 %.
 * @param displays their parts that are free for windows, that of the main one first
 */
export function fitToDisplays(displays: Rectangle[], bounds: Rectangle | undefined): Partial<Rectangle> {
  const [main] = displays
  if (!bounds || bounds.width < MIN_SIZE.width || bounds.height < MIN_SIZE.height) return within(DEFAULT_SIZE, main)
  const titleBar = { ...bounds, height: 32 }
  const display = displays.find(area => {
    const width = Math.min(area.x + area.width, titleBar.x + titleBar.width) - Math.max(area.x, titleBar.x)
    const height = Math.min(area.y + area.height, titleBar.y + titleBar.height) - Math.max(area.y, titleBar.y)
    return width >= 120 && height >= titleBar.height
  })
  return display ? { x: bounds.x, y: bounds.y, ...within(bounds, display) } : within(bounds, main)
}

/** Their parts that are free for windows, that of the main one first. */
export function displaysOf(screen: Screen): Rectangle[] {
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  return [main, ...others].map(({ workArea }) => workArea)
}

/** Desktops bring windows back by themselves, and some of them to where they were once the display is there again. */
const SETTLED_MS = 2_000

/** Brings a window back to the main display when nobody could grab it any more, as after its own was unplugged. */
export function followDisplays(window: BrowserWindow, screen: Screen): void {
  const follow = (): void => {
    if (window.isMinimized() || window.isMaximized() || window.isFullScreen()) return
    const displays = displaysOf(screen)
    const place = fitToDisplays(displays, window.getBounds())
    const [main] = displays
    if (place.x !== undefined || !main) return
    const { width = main.width, height = main.height } = place
    const middle = (start: number, room: number, size: number) => Math.round(start + Math.max(0, room - size) / 2)
    window.setBounds({ x: middle(main.x, main.width, width), y: middle(main.y, main.height, height), width, height })
  }
  let timer: NodeJS.Timeout | undefined
  const followLater = (): void => {
    clearTimeout(timer)
    timer = setTimeout(follow, SETTLED_MS)
  }
  screen.on('display-removed', followLater)
  screen.on('display-metrics-changed', followLater)
  window.on('restore', follow)
  window.on('closed', () => {
    clearTimeout(timer)
    screen.off('display-removed', followLater)
    screen.off('display-metrics-changed', followLater)
  })
}

type Size = Pick<Rectangle, 'width' | 'height'>

function within({ width, height }: Size, display: Size | undefined): Size {
  if (!display) return { width, height }
  return {
    width: Math.min(width, Math.max(display.width, MIN_SIZE.width)),
    height: Math.min(height, Math.max(display.height, MIN_SIZE.height)),
  }
}

/** Writes after moving and resizing have come to rest, and once more when the window closes. */
export function rememberBounds(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined
  const write = (): void => {
    clearTimeout(timer)
    const place: WindowBounds = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
    void writeFile(file, JSON.stringify(place)).catch(() => {}) // forgotten, not worth a message
  }
  const later = (): void => {
    clearTimeout(timer)
    timer = setTimeout(write, 500)
  }
  window.on('resize', later)
  window.on('move', later)
  window.on('close', write)
  window.on('closed', () => clearTimeout(timer))
}
