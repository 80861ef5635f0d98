import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Found from here upwards: programs that are bundled with this file lie elsewhere. */
export const projectFolder = upTo(import.meta.dirname)

function upTo(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : upTo(dirname(folder))
}
