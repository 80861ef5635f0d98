import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname

/**
 * Everything that decides what the image contains. The Dockerfile is the recipe; where no registry answers, the same
 * base, packages, environment and command are put together from Debian's packages.
 * @typedef {{hash: string, reference: string, base: string, packages: string[], env: string[], command: string[]}} Recipe
 * @returns {Recipe}
 */
export function readRecipe(architecture = process.arch) {
  const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8')
  const packages = readFileSync(join(folder, 'packages.txt'), 'utf8')
  const hash = createHash('sha256')
  for (const part of [dockerfile, packages, architecture]) hash.update(part).update('\0')
  const short = hash.digest('hex').slice(0, 12)
  return {
    hash: short,
    reference: `atelier/sandbox:${short}`,
    base: instruction(dockerfile, 'FROM'),
    packages: packages.split('\n').filter(Boolean),
    env: instruction(dockerfile, 'ENV').split(' '),
    command: JSON.parse(instruction(dockerfile, 'CMD')),
  }
}

/**
 * @param {string} dockerfile
 * @param {'FROM' | 'ENV' | 'CMD'} name
 */
function instruction(dockerfile, name) {
  const value = new RegExp(`^${name} (.+)$`, 'm').exec(dockerfile)?.[1]
  if (!value) throw new Error(`The sandbox image's Dockerfile has no ${name} on one line.`)
  return value
}
