import { engineCandidates, isMissingSocket, thisMachine } from '../../server/docker/candidates.mjs'
import { ping } from './ping.mjs'

/** @typedef {{name: string, host: string}} Engine `host` is in the form of DOCKER_HOST */

/** @returns {Promise<Engine | undefined>} the first engine that answers */
export async function findEngine() {
  for (const candidate of engineCandidates(thisMachine())) {
    if (!isMissingSocket(candidate) && (await ping(candidate.host))) return candidate
  }
  return undefined
}
