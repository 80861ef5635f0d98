import type { Trend } from './series.ts'

const WIDTH = 720
const PANEL = 150
const LEFT = 64
const RIGHT = 16
const TOP = 34
const BOTTOM = 26

const STYLE = `
  svg { color-scheme: light dark; --ink: #1f2328; --soft: #6e7781; --line: #0969da; --trend: #cf222e; --paper: #ffffff; --grid: #d8dee4 }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #e6edf3; --soft: #8d96a0; --line: #58a6ff; --trend: #ff7b72; --paper: #0d1117; --grid: #30363d }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--soft) }
  .title { font-weight: 600; fill: var(--ink) }
  .values { fill: none; stroke: var(--line); stroke-width: 1.5 }
  .trend { stroke: var(--trend); stroke-width: 1.5; stroke-dasharray: 5 4 }
  .grid { stroke: var(--grid) }
  .paper { fill: var(--paper) }`

/** One panel for each series with its line of regression, readable on light and dark pages. */
export function picture(trends: readonly Trend[]): string {
  const height = trends.length * PANEL + 8
  const panels = trends.map((trend, index) => panel(trend, index * PANEL)).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>Memory, descriptors, database and containers over time</title>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${panels}
</svg>
`
}

function panel({ series, line, from, perHour, verdict }: Trend, offset: number): string {
  const values = series.points.map(([, value]) => value)
  const last = series.points.at(-1)?.[0] ?? 1
  const most = Math.max(...values, 1) * 1.1
  const x = (minute: number) => (LEFT + (minute / last) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const y = (value: number) => (offset + PANEL - BOTTOM - (value / most) * (PANEL - TOP - BOTTOM)).toFixed(1)
  const path = series.points.map(([minute, value]) => `${x(minute)},${y(value)}`).join(' ')
  const at = (minute: number) => Math.max(0, line.intercept + line.slope * minute)
  const trend = verdict === 'flat' ? verdict : `${verdict} by ${Math.abs(perHour).toFixed(1)} an hour`
  const title = `${series.name}, ${series.unit}: ${trend}`
  const marks = [0, most / 2, most].map(
    value =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text x="${LEFT - 8}" y="${y(value)}" text-anchor="end" dominant-baseline="middle">${value.toFixed(value < 10 ? 1 : 0)}</text>`,
  )
  return `<text class="title" x="${LEFT}" y="${offset + 20}">${title}</text>
${marks.join('\n')}
<polyline class="values" points="${path}"/>
<line class="trend" x1="${x(from)}" y1="${y(at(from))}" x2="${x(last)}" y2="${y(at(last))}"/>
<text x="${LEFT}" y="${offset + PANEL - 8}">0 min</text>
<text x="${WIDTH - RIGHT}" y="${offset + PANEL - 8}" text-anchor="end">${last.toFixed(1)} min</text>`
}
