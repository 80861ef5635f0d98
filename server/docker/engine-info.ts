import type { EngineDetails } from './details.ts'

export interface EngineInfo {
  /** Which engine it is, the same whatever way it is reached by. */
  identity: string
  name: string
  version: string
  apiVersion: string
  operatingSystem: string
  architecture: string
  cpus: number
  memoryBytes: number
  /** false where the engine refuses a limit, as rootless ones do without delegated control groups. */
  canLimitCpus?: boolean
  /** The folder of its images and containers; null where it is not on this machine's own disks. */
  folder: string | null
  /** false where a container that was made without a network cannot be given one. */
  canConnectLater?: boolean
  /** Whether pausing ends the programs, and keeps the working folder alone; absent where they are frozen. */
  pauseEndsPrograms?: boolean
  users: EngineUsers
  seccomp: EngineSeccomp
  userNamespace: EngineUserNamespace
  /** What its containers can run in, its default first. */
  runtimes: EngineRuntime[]
  /** How it keeps a log of bounded size; null where it cannot. */
  logDriver: LogDriver | null
  /** Whether a limit of what a container writes is worth a try: only the try tells whether the disk counts for it. */
  canLimitDisk: boolean
  details: EngineDetails
}

export type LogDriver = 'local' | 'json-file'

/** An OCI runtime. `hasKernelNetwork`: its containers use the network of the engine's kernel, whose rules hold for them. */
export interface EngineRuntime {
  name: string
  hasKernelNetwork: boolean
}

/** Which calls to the kernel its containers may make. `own`: those of our profile. `engine`: those of the engine's. `none`: all. */
export type EngineSeccomp = 'own' | 'engine' | 'none'

/** Of its containers. `none`: root in one is root of the engine's machine. Otherwise it is a user without rights there. */
export type EngineUserNamespace = 'none' | 'remapped' | 'rootless'

/**
 * Whose a file of a mounted folder is that a user of a container makes. `same`: the user of this machine with the same
 * number. `engine`: root makes it as the person for whom the engine runs, as rootless engines and those in a virtual machine
 * do. `mapped`: a user that nobody on this machine is.
 */
export type EngineUsers = 'same' | 'engine' | 'mapped'
