/** What dockerode loads at its start and Atelier has no use for: gRPC for BuildKit's sessions, SSH to other machines. */
const unused = [
  { importer: /[\\/]dockerode[\\/]lib[\\/]docker\.js$/, source: './session', feature: 'BuildKit sessions' },
  { importer: /[\\/]dockerode[\\/]lib[\\/]docker\.js$/, source: './buildkit', feature: 'BuildKit progress' },
  { importer: /[\\/]docker-modem[\\/]lib[\\/]modem\.js$/, source: './ssh', feature: 'Engines over SSH' },
]

const prefix = '\0unused-docker-feature:'

/**
 * Bundles the Docker client without those parts. They would be a third of what the service loads before it answers.
 * @returns {import('vite').Plugin}
 */
export function slimDockerClient() {
  return {
    name: 'slim-docker-client',
    enforce: 'pre',
    resolveId(source, importer = '') {
      const found = unused.find(part => part.source === source && part.importer.test(importer))
      return found ? prefix + found.feature : undefined
    },
    load(id) {
      if (!id.startsWith(prefix)) return undefined
      const message = JSON.stringify(`${id.slice(prefix.length)} are left out of this bundle.`)
      return `module.exports = () => { throw new Error(${message}) }`
    },
  }
}
