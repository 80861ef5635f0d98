/** How a container is asked whether its service works. Times in milliseconds. */
export interface HealthCheck {
  /** As the engine has it: `CMD` or `CMD-SHELL` first. */
  test: string[]
  interval: number
  timeout: number
  startPeriod: number
  retries: number
}

export const DEPENDENCY_CONDITIONS = ['service_started', 'service_healthy', 'service_completed_successfully'] as const
export type DependencyCondition = (typeof DEPENDENCY_CONDITIONS)[number]

/** When the engine starts it again by itself; 0 attempts are any number of them. */
export interface RestartPolicy {
  on: 'failure' | 'end'
  attempts: number
}

/** From what an image is built. */
export interface ServiceBuild {
  /** A folder, from the root of the repository. */
  context: string
  /** Its text. */
  dockerfile: string
  args: Record<string, string>
  /** The stage that is built; null: the last one. */
  target: string | null
}

/** One service as it is to run. What is null or empty is the image's own. */
export interface ServicePlan {
  name: string
  /** By which it is reached beside its own name. */
  aliases: string[]
  /** Of one that is built, until then, the folder that it is built from. */
  image: string
  build: ServiceBuild | null
  command: string[]
  entrypoint: string[] | null
  env: Record<string, string>
  /** Of TCP, which the file names. */
  ports: number[]
  volumes: { name: string; containerPath: string; readOnly: boolean }[]
  /** Files and folders of the repository, by their path in it. */
  binds: { path: string; containerPath: string }[]
  tmpfs: string[]
  workingDir: string | null
  user: string | null
  /** `none` asks nothing, whatever the image says. */
  health: HealthCheck | 'none' | null
  dependsOn: { name: string; condition: DependencyCondition }[]
  memoryBytes: number | null
  cpus: number | null
  shmBytes: number | null
  stopGraceSeconds: number | null
  /** null: never. */
  restart: RestartPolicy | null
}

/** What is not started, and why, in a sentence. */
export interface LeftOutService {
  name: string
  reason: string
}

export interface ComposePlan {
  /** In an order in which each stands behind those that it depends on. */
  services: ServicePlan[]
  leftOut: LeftOutService[]
}
