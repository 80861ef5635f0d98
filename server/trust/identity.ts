import type { WorkspaceSource } from '../domain/start-plan.ts'

/** What trust is given to where a repository was cloned: `host/path`, whatever the protocol. */
export function repositoryAt(url: string): string {
  const scp = /^(?:[\w.-]+@)?([\w.-]+):(?!\/)(.+)$/.exec(url)
  if (scp && !url.includes('://')) return join(scp[1] ?? '', scp[2] ?? '')
  const { host, pathname } = new URL(url)
  return join(host, pathname)
}

function join(host: string, path: string): string {
  const name = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return `${host.toLowerCase()}/${name}`
}

interface Folder {
  sandboxId: string
  path: string
  /** Where the folder lies on this machine, if it is mounted. */
  hostPath: string | null
}

/** A folder of this machine keeps its trust in every sandbox; one inside a sandbox has it in that sandbox alone. */
export function folderAt({ sandboxId, path, hostPath }: Folder): string {
  return hostPath === null ? `sandbox ${sandboxId}: ${path}` : `folder ${hostPath}`
}

/** null for what is found in a sandbox alone. */
export function repositoryOf(source: WorkspaceSource): string | null {
  if (source.kind === 'copied_folder' || source.kind === 'mounted_folder') return `folder ${source.path}`
  return source.kind === 'repository' ? repositoryAt(source.url) : null
}

/** Where a path of a sandbox lies on this machine, by the mounts of its spec; null for one that is inside. */
export function hostPathIn(
  mounts: readonly { host_path: string; container_path: string }[],
  path: string,
): string | null {
  const within = mounts
    .filter(({ container_path }) => path === container_path || path.startsWith(`${container_path}/`))
    .toSorted((a, b) => b.container_path.length - a.container_path.length)
  const [mount] = within
  return mount ? `${mount.host_path}${path.slice(mount.container_path.length)}` : null
}
