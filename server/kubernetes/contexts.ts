import { readFile, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import type { Machine } from '../docker/candidates.mjs'
import { shownAddress } from '../text/shown-address.ts'

/** Certificates make a kubeconfig long; nobody's is longer than this. */
const MAX_FILE_BYTES = 4 * 1024 * 1024

/** A context of the kubeconfig: a cluster, who asks it, and the namespace that is meant when none is named. */
export interface ClusterContext {
  name: string
  /** Of its API server, without credentials; null where the kubeconfig does not say it. */
  server: string | null
  namespace: string | null
}

const named = <T extends z.ZodType>(value: T) =>
  z.array(z.unknown()).transform(all => all.flatMap(each => value.safeParse(each).data ?? []))

const kubeconfig = z.object({
  contexts: named(
    z.object({
      name: z.string().min(1).max(500),
      context: z.object({ cluster: z.string(), namespace: z.string().nullish() }),
    }),
  ).catch([]),
  clusters: named(z.object({ name: z.string(), cluster: z.object({ server: z.string() }) })).catch([]),
})

/** In the order in which kubectl reads them: https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/. */
export function kubeconfigPaths({ env, home }: Pick<Machine, 'env' | 'home'>): string[] {
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter(Boolean)
  return listed.length > 0 ? listed : [join(home, '.kube', 'config')]
}

/** Of this machine, as kubectl knows them; of two with one name the first. What cannot be read is left out. */
export async function clusterContexts(
  machine: Pick<Machine, 'env' | 'home'>,
  limit: number,
): Promise<ClusterContext[]> {
  const files = await Promise.all(kubeconfigPaths(machine).map(readKubeconfig))
  const servers = new Map<string, string>()
  const contexts = new Map<string, z.output<typeof kubeconfig>['contexts'][number]['context']>()
  for (const file of files) {
    for (const { name, cluster } of file.clusters) if (!servers.has(name)) servers.set(name, cluster.server)
    for (const { name, context } of file.contexts) if (!contexts.has(name)) contexts.set(name, context)
  }
  return [...contexts].slice(0, limit).map(([name, { cluster, namespace }]) => ({
    name,
    server: shownAddress(servers.get(cluster) ?? ''),
    namespace: namespace || null,
  }))
}

async function readKubeconfig(path: string): Promise<z.output<typeof kubeconfig>> {
  const nothing = { contexts: [], clusters: [] }
  try {
    const about = await stat(path)
    if (!about.isFile() || about.size > MAX_FILE_BYTES) return nothing
    const text = await readFile(path, 'utf8')
    return kubeconfig.safeParse(parse(text, { maxAliasCount: 100, logLevel: 'error' })).data ?? nothing
  } catch {
    return nothing
  }
}
