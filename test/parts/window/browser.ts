import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowserImage } from '../../../build/browser-image.mjs'
import { projectFolder } from '../project-folder.ts'

/** Making the image downloads a browser: once for each engine. */
export const BROWSER_IMAGE_MS = 300_000

/** The image of sandboxes with a browser. */
export async function browserImage(): Promise<string> {
  const host = process.env.DOCKER_HOST
  const file = join(projectFolder, 'out/resources/sandbox-image.json')
  if (!host || !existsSync(file)) throw new Error('Run the tests with `npm test`: it starts the engine and its image.')
  const { reference } = JSON.parse(readFileSync(file, 'utf8'))
  return ensureBrowserImage(host, String(reference))
}
