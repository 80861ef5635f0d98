import { existsSync } from 'node:fs'
import type { KubeConfig } from '@kubernetes/client-node'
import { AppError, messageOf } from '../domain/errors.ts'
import { ClusterClient } from './client.ts'
import { ClusterEngine, type ClusterOptions } from './engine.ts'

export interface ClusterEngineOptions extends ClusterOptions {
  /** In the order in which they count; one that is not there is passed over. */
  kubeconfigPaths: readonly string[]
  context: string
  /** null: that of the context, else `default`. */
  namespace: string | null
}

/**
 * The cluster of a context, which is not asked yet. The library is loaded with the first one: most people have none.
 * @throws AppError bad_request where there is no such context
 */
export async function openClusterEngine(options: ClusterEngineOptions): Promise<ClusterEngine> {
  const { kubeconfigPaths, context: name } = options
  const config = await loadKubeconfig(kubeconfigPaths)
  const context = config.getContextObject(name)
  const cluster = context && config.getCluster(context.cluster)
  if (!context || !cluster) {
    const next = '“kubectl config get-contexts” lists those that there are.'
    throw new AppError('bad_request', `The kubeconfig has no context “${name}”. ${next}`)
  }
  config.setCurrentContext(name)
  const namespace = options.namespace ?? context.namespace ?? 'default'
  const client = new ClusterClient(config, { endpoint: cluster.server, namespace })
  return new ClusterEngine(client, options)
}

/** Of what several files name, the first counts. */
async function loadKubeconfig(paths: readonly string[]): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const all = new KubeConfig()
  all.loadFromOptions({ clusters: [], users: [], contexts: [], currentContext: '' })
  for (const path of paths.filter(existsSync)) {
    const one = new KubeConfig()
    try {
      one.loadFromFile(path)
    } catch (error) {
      const message = `The file ${path} cannot be read. Check it with “kubectl config view”. ${messageOf(error)}`
      throw new AppError('bad_request', message, { cause: error })
    }
    for (const each of one.getClusters()) if (!all.getCluster(each.name)) all.addCluster(each)
    for (const each of one.getUsers()) if (!all.getUser(each.name)) all.addUser(each)
    for (const each of one.getContexts()) if (!all.getContextObject(each.name)) all.addContext(each)
  }
  return all
}
