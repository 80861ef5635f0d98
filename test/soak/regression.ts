export interface Line {
  slope: number
  intercept: number
  /** From 0 to 1: how much of the spread the line explains. */
  fit: number
}

/** The line of least squares through points of at least two different x; a flat one where there are not. */
export function regression(points: readonly (readonly [x: number, y: number])[]): Line {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, one]) => one))]
  const spread = (of: (point: readonly [number, number]) => number) => points.reduce((sum, point) => sum + of(point), 0)
  const xx = spread(([one]) => (one - x) ** 2)
  const xy = spread(([one, other]) => (one - x) * (other - y))
  const yy = spread(([, other]) => (other - y) ** 2)
  if (xx === 0) return { slope: 0, intercept: y, fit: 0 }
  const slope = xy / xx
  return { slope, intercept: y - slope * x, fit: yy === 0 ? 0 : (xy * xy) / (xx * yy) }
}
