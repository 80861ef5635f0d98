/** What a container is to have on a Kubernetes cluster alone. */
export interface ClusterRequest {
  nodeSelector: Readonly<Record<string, string>>
  tolerations: readonly Toleration[]
  /** Names of secrets in the namespace. */
  imagePullSecrets: readonly string[]
  /** null: the cluster's default. */
  storageClass: string | null
  /** Of the folder that a paused sandbox keeps; null: ten GiB. */
  volumeBytes: number | null
}

/** null is any, as it is for whoever leaves the field out. */
interface Toleration {
  key: string | null
  operator: 'Exists' | 'Equal'
  value: string | null
  effect: string | null
}
