import { ensureEngine } from './engine.mjs'

/** Tests started by hand find the engine that `npm test` would give them. */
export default async function setup(): Promise<void> {
  if (process.env.DOCKER_HOST) return
  const engine = await ensureEngine()
  if (engine) process.env.DOCKER_HOST = engine.host
}
