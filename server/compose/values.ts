import { ComposeProblem } from './problem.ts'

const UNITS_MS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 0.001, µs: 0.001, ns: 0.000_001 } as const
const UNITS_BYTES = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 } as const

/** `1m30s`, `500ms`. https://docs.docker.com/reference/compose-file/extension/#specifying-durations @throws ComposeProblem */
export function milliseconds(text: string): number {
  if (!/^(\d+(\.\d+)?(h|ms|m|s|us|µs|ns))+$/.test(text)) {
    throw new ComposeProblem(`“${text.slice(0, 40)}” is no duration such as 1m30s.`)
  }
  const parts = text.matchAll(/([\d.]+)(h|ms|m|s|us|µs|ns)/g)
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS], 0)
}

/** `512m`, `1.5gb`, or a number of bytes. @throws ComposeProblem */
export function byteCount(value: string | number): number {
  const [, amount, unit = 'b'] = /^([\d.]+)\s*([bkmg])?i?b?$/i.exec(String(value).trim()) ?? []
  const bytes = Number(amount) * UNITS_BYTES[unit.toLowerCase() as keyof typeof UNITS_BYTES]
  if (amount === undefined || !Number.isFinite(bytes)) {
    throw new ComposeProblem(`“${String(value).slice(0, 40)}” is no size such as 512m.`)
  }
  return Math.floor(bytes)
}

const MAX_RANGE = 100

/**
 * Ports in the container of `8080:80`, `127.0.0.1:8080:80/tcp`, `3000-3005`, `80`; none for UDP, which nothing asks about.
 * @throws ComposeProblem
 */
export function containerPorts(text: string): number[] {
  const [place = '', protocol = 'tcp'] = text.split('/')
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(place.split(':').at(-1) ?? '') ?? []
  const from = Number(first)
  const to = Number(last)
  if (!(from >= 1 && to >= from && to <= 65_535 && to - from < MAX_RANGE)) {
    throw new ComposeProblem(`“${text.slice(0, 40)}” is no port.`)
  }
  if (protocol !== 'tcp') return []
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
