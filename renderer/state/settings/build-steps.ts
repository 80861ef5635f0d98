/** How many steps of a Dockerfile are done, of the engine's "Step 2/5 : RUN …"; null while none is under way. */
export function buildSteps(step: string | null): { done: number; total: number } | null {
  const [, current, total] = /^Step (\d+)\/(\d+) : /.exec(step ?? '') ?? []
  return current && total ? { done: Number(current) - 1, total: Number(total) } : null
}
