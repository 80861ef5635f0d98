import { relative } from 'node:path'
import { projectFolder } from '../machine/paths.mjs'

/**
 * Notes the folders of the packages whose code is in what a build writes, as `node_modules/zod`.
 * @param {Set<string>} found
 * @returns {import('vite').Plugin}
 */
export function notePackages(found) {
  return {
    name: 'note-packages',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        for (const [id, { renderedLength }] of Object.entries(output.modules)) {
          const folder = packageFolderOf(id)
          if (folder !== undefined && renderedLength > 0) found.add(folder)
        }
      }
    },
  }
}

/** @param {string} id of a module: its path, or one that a plugin has made of it */
function packageFolderOf(id) {
  const path = relative(projectFolder, id.replace(/^\0/, '').replace(/\?.*$/, '')).replaceAll('\\', '/')
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
}
