import { shownAddress } from '../text/shown-address.ts'

/** What an engine says of itself that only a diagnosis shows: texts of any length. */
export interface EngineDetails {
  storageDriver: string | null
  /** Below the storage driver. */
  fileSystem: string | null
  /** As `v2 systemd`. */
  controlGroups: string | null
  /** What it cannot limit. */
  missingLimits: ('memory' | 'processors' | 'processes')[]
  /** Through which it pulls images; without credentials. */
  proxies: string[]
  /** Milliseconds since 1970 by the clock of its machine. */
  time: number | null
}

/** The fields of `GET /info` that it is taken from. */
export interface DetailedInfo {
  CpuCfsPeriod?: boolean
  CpuCfsQuota?: boolean
  MemoryLimit?: boolean
  PidsLimit?: boolean
  CgroupVersion?: string
  CgroupDriver?: string
  HttpProxy?: string
  HttpsProxy?: string
  SystemTime?: string
  /** Of images and containers, with what it says of itself: names and values. */
  Driver?: string
  DriverStatus?: [string, string][] | null
}

export function engineDetails(info: DetailedInfo): EngineDetails {
  const fileSystem = info.DriverStatus?.find(([name]) => name === 'Backing Filesystem')?.[1]
  const controlGroups = [info.CgroupVersion && `v${info.CgroupVersion}`, info.CgroupDriver].filter(Boolean).join(' ')
  const time = Date.parse(info.SystemTime ?? '')
  return {
    storageDriver: info.Driver || null,
    fileSystem: fileSystem ?? null,
    controlGroups: controlGroups || null,
    missingLimits: [
      ...(info.MemoryLimit === false ? (['memory'] as const) : []),
      ...(info.CpuCfsPeriod === false || info.CpuCfsQuota === false ? (['processors'] as const) : []),
      ...(info.PidsLimit === false ? (['processes'] as const) : []),
    ],
    proxies: [info.HttpProxy, info.HttpsProxy].flatMap(proxy => shownProxy(proxy) ?? []),
    time: Number.isNaN(time) ? null : time,
  }
}

function shownProxy(proxy: string | undefined): string | null {
  return proxy ? (shownAddress(proxy) ?? '?') : null
}
