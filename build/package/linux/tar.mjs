import { mkdirSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from '../../machine/command.mjs'
import { inFolder, layOut, license, normalize, write } from './tree.mjs'

/**
 * The app as an archive that is unpacked anywhere. GNU tar.
 * @param {import('./tree.mjs').Source} source
 * @param {string} folder where the file is put
 * @returns {Promise<string>} the file
 */
export async function makeTar(source, folder) {
  const name = `atelier-${source.version}-linux-${process.arch}`
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.tar.gz`)
  await inFolder(async root => {
    const app = join(root, name)
    await layOut({ app, share: join(app, 'share'), type: 'tar' }, source)
    write(join(app, 'LICENSE'), license())
    write(join(app, 'resources', 'package-files.txt'), listOf(app))
    normalize(root, source.epoch)
    const stable = [
      '--sort=name',
      `--mtime=@${source.epoch}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--format=gnu',
    ]
    const gzip = `--use-compress-program=gzip -n -${source.release ? 9 : 1}`
    await run('tar', ['-C', root, ...stable, gzip, '-cf', file, name], { quiet: true })
  })
  return file
}

/**
 * Every file of the archive, from its folder: an update replaces the folder only where nothing else is in it.
 * @param {string} app
 */
function listOf(app) {
  const entries = readdirSync(app, { recursive: true, withFileTypes: true }).filter(entry => !entry.isDirectory())
  const files = entries.map(({ parentPath, name }) => relative(app, join(parentPath, name)))
  return `${[...files, join('resources', 'package-files.txt')].sort().join('\n')}\n`
}
