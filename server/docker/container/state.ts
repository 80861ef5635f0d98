import type Docker from 'dockerode'
import { z } from 'zod'
import { CONTAINER_STATUSES, type ContainerState, HEALTH_STATES, type PathStat } from '../engine.ts'

export function containerState(info: Docker.ContainerInspectInfo): ContainerState {
  const ended = (['exited', 'dead', 'restarting'] as string[]).includes(info.State.Status)
  const networks = byOurNames(info.NetworkSettings.Networks)
  const { IPAddress: address, MacAddress: hardwareAddress } = networks.bridge ?? {}
  const health = HEALTH_STATES.find(state => state === info.State.Health?.Status)
  return {
    id: info.Id,
    name: info.Name.replace(/^\//, ''),
    image: info.Config.Image,
    // An engine's word that we do not know is no state that we could work with.
    status: CONTAINER_STATUSES.find(status => status === info.State.Status) ?? 'dead',
    exitCode: ended ? info.State.ExitCode : undefined,
    createdAt: new Date(info.Created).toISOString(),
    startedAt: info.State.StartedAt,
    ...(info.State.Pid > 0 && { pid: info.State.Pid }),
    networks: Object.keys(networks),
    ...(info.HostConfig.Runtime && { runtime: info.HostConfig.Runtime }),
    ...(address && { address }),
    ...(hardwareAddress && { hardwareAddress }),
    labels: info.Config.Labels ?? {},
    ports: localPorts(info.NetworkSettings.Ports),
    outOfMemory: info.State.OOMKilled,
    ...(health && { health }),
    ...(info.State.Error && { error: info.State.Error }),
    ...(info.RestartCount > 0 && { restarts: info.RestartCount }),
  }
}

/** As the list tells it: there is no exit code there, and no time of the start. */
export function listedState(info: Docker.ContainerInfo): ContainerState {
  const local = info.Ports.filter(({ IP }) => IP === '127.0.0.1')
  return {
    id: info.Id,
    name: (info.Names[0] ?? '').replace(/^\//, ''),
    image: info.Image,
    status: CONTAINER_STATUSES.find(status => status === info.State) ?? 'dead',
    exitCode: undefined,
    createdAt: new Date(info.Created * 1000).toISOString(),
    startedAt: '',
    networks: Object.keys(byOurNames(info.NetworkSettings?.Networks)),
    labels: info.Labels ?? {},
    ports: Object.fromEntries(local.map(({ PrivatePort, PublicPort }) => [PrivatePort, PublicPort])),
  }
}

/** Podman's default network is asked for as `bridge`, and has a name of its own. */
function byOurNames<Network>(networks: Record<string, Network> | null | undefined): Record<string, Network> {
  const named = Object.entries(networks ?? {}).map(
    ([name, each]) => [name === 'podman' ? 'bridge' : name, each] as const,
  )
  return Object.fromEntries(named)
}

function localPorts(bindings: Docker.ContainerInspectInfo['NetworkSettings']['Ports'] | null): Record<number, number> {
  const ports: Record<number, number> = {}
  for (const [port, hosts] of Object.entries(bindings ?? {})) {
    const binding = (hosts ?? []).find(host => host.HostIp === '127.0.0.1')
    if (binding) ports[Number.parseInt(port, 10)] = Number(binding.HostPort)
  }
  return ports
}

/** The header `X-Docker-Container-Path-Stat`: base64 of JSON, the mode as Go's os.FileMode. */
const pathStatHeader = z.object({
  size: z.number(),
  mode: z.number(),
  mtime: z.string(),
  linkTarget: z.string(),
})

/** https://pkg.go.dev/io/fs#FileMode */
const GO_MODE = { directory: 2 ** 31, link: 2 ** 27, setuid: 2 ** 23, setgid: 2 ** 22, sticky: 2 ** 20 } as const
const GO_IRREGULAR = 2 ** 26 + 2 ** 25 + 2 ** 24 + 2 ** 21 + 2 ** 19

export function pathStat(header: string): PathStat {
  const stat = pathStatHeader.parse(JSON.parse(Buffer.from(header, 'base64').toString()))
  const has = (bits: number) => Boolean(BigInt(stat.mode) & BigInt(bits))
  const special =
    (has(GO_MODE.setuid) ? 0o4000 : 0) + (has(GO_MODE.setgid) ? 0o2000 : 0) + (has(GO_MODE.sticky) ? 0o1000 : 0)
  return {
    kind: has(GO_MODE.directory) ? 'directory' : has(GO_MODE.link) ? 'link' : has(GO_IRREGULAR) ? 'other' : 'file',
    sizeBytes: stat.size,
    mode: (stat.mode % 0o1000) + special,
    modifiedAt: new Date(stat.mtime).toISOString(),
    target: stat.linkTarget || undefined,
  }
}
