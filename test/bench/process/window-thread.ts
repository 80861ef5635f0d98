import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { DesktopApp } from '../../parts/window/desktop-app.ts'
import type { Samples } from './measure.ts'

/** The page in the window, and the processor time of the thread that it runs on. */
export class WindowThread {
  readonly desktop: DesktopApp
  readonly #schedule: string

  static async of(desktop: DesktopApp): Promise<WindowThread> {
    const pid = await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
    )
    await desktop.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().waitFor()
    return new WindowThread(desktop, `/proc/${pid}/task/${pid}/schedstat`)
  }

  constructor(desktop: DesktopApp, schedule: string) {
    this.desktop = desktop
    this.#schedule = schedule
  }

  /** Milliseconds on a processor; Linux only, NaN elsewhere. */
  async cost(work: () => Promise<unknown>): Promise<number> {
    const before = this.#spent()
    await work()
    return this.#spent() - before
  }

  #spent(): number {
    return existsSync(this.#schedule) ? Number(readFileSync(this.#schedule, 'utf8').split(' ')[0]) / 1e6 : Number.NaN
  }

  /** What each of them costs until what it changes is painted. */
  async keys(text: string): Promise<Samples> {
    const costs: Samples = { atelier: [], bare: [] }
    for (const key of text) {
      costs.bare.push(await this.cost(() => this.frames(3)))
      costs.atelier.push(
        await this.cost(async () => {
          await this.desktop.page.keyboard.press(key === ' ' ? 'Space' : key)
          await this.frames(3)
        }),
      )
      await delay(50)
    }
    return costs
  }

  async go(route: string): Promise<void> {
    await this.desktop.page.evaluate(address => location.assign(address), `#${route}`)
    await this.frames(5)
    await delay(300)
  }

  /** @returns milliseconds until the frame after that in which its newest command stands */
  open(id: string, events: number): Promise<number> {
    const newest = `something ${(events >> 1) - 1}`
    return this.desktop.page.evaluate(
      ([address, text]) =>
        new Promise<number>(resolve => {
          const started = performance.now()
          const look = () => {
            if (document.querySelector('main')?.textContent.includes(text))
              requestAnimationFrame(() => resolve(performance.now() - started))
            else requestAnimationFrame(look)
          }
          location.assign(address)
          look()
        }),
      [`#/conversations/${id}`, newest] as const,
    )
  }

  async frames(count: number): Promise<void> {
    await this.desktop.page.evaluate(async frames => {
      for (let frame = 0; frame < frames; frame++) await new Promise(resolve => requestAnimationFrame(resolve))
    }, count)
  }

  async watchLongTasks(): Promise<void> {
    await this.desktop.page.evaluate(() => {
      const seen: { longest: number } = { longest: 0 }
      Object.assign(globalThis, { seenTasks: seen })
      new PerformanceObserver(list => {
        for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration)
      }).observe({ entryTypes: ['longtask'] })
    })
  }

  /** 0 where none was longer than what the browser calls long, 50 ms. */
  longestTask(): Promise<number> {
    return this.desktop.page.evaluate(
      () => (globalThis as unknown as { seenTasks: { longest: number } }).seenTasks.longest,
    )
  }

  heapMb(): Promise<number> {
    return this.desktop.app.evaluate(async ({ BrowserWindow }) => {
      const tools = BrowserWindow.getAllWindows()[0]?.webContents.debugger
      if (!tools) throw new Error('There is no window.')
      tools.attach()
      await tools.sendCommand('HeapProfiler.collectGarbage')
      const { usedSize } = await tools.sendCommand('Runtime.getHeapUsage')
      tools.detach()
      return usedSize / 1e6
    })
  }
}
