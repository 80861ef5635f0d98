import { z } from 'zod'

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const LABEL_KEY = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/
const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
const OBJECT_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

const labelKey = z.string().regex(LABEL_KEY, 'this is no key of a label, such as disktype or example.com/pool')
const labelValue = z.string().regex(LABEL_VALUE, 'this is no value of a label')
const objectName = z.string().regex(OBJECT_NAME, 'this is no name of an object of Kubernetes')

const toleration = z
  .object({
    key: labelKey.nullable().default(null).describe('Key of the taint; null, with `Exists`, is any.'),
    operator: z.enum(['Equal', 'Exists']).default('Equal').describe('Whether the value counts, or only the key.'),
    value: labelValue.nullable().default(null).describe('Value of the taint; null with `Exists`.'),
    effect: z
      .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
      .nullable()
      .default(null)
      .describe('Effect of the taint; null is any.'),
  })
  .refine(({ key, operator }) => key !== null || operator === 'Exists', {
    path: ['key'],
    message: 'name the key of the taint, or tolerate any with Exists',
  })
  .refine(({ value, operator }) => value === null || operator === 'Equal', {
    path: ['value'],
    message: 'Exists has no value',
  })

/** What only a cluster asks. */
export const clusterPlace = z.object({
  node_selector: z
    .record(labelKey, labelValue)
    .refine(labels => Object.keys(labels).length <= 20, 'at most 20 labels')
    .default({})
    .describe('Labels that a node has to have to run the sandbox.'),
  tolerations: z.array(toleration).max(20).default([]).describe('Taints of nodes that the sandbox tolerates.'),
  image_pull_secrets: z
    .array(objectName)
    .max(10)
    .default([])
    .describe('Names of secrets of the namespace with which its nodes pull the image.'),
  storage_class: objectName
    .nullable()
    .default(null)
    .describe("Storage class of the sandbox's volume; null is the cluster's default."),
  volume_bytes: z
    .int()
    .min(64 * 1024 ** 2)
    .max(2 ** 50)
    .nullable()
    .default(null)
    .describe('Bytes of the volume that holds the working folder; null is 10 GiB.'),
  active_deadline_seconds: z
    .int()
    .min(60)
    .max(366 * 24 * 60 * 60)
    .nullable()
    .default(null)
    .describe(
      'Seconds after which the cluster ends the pod, whatever runs in it and whether Atelier is there or not; null is never. The working folder is kept, and resuming the sandbox begins anew.',
    ),
  pause_when_idle: z
    .boolean()
    .default(false)
    .describe(
      'Whether the sandbox is paused like those of other engines when nothing has used it for a while (`pause_idle_after`). A pause there ends its programs and keeps the working folder alone.',
    ),
})
export type ClusterPlace = z.output<typeof clusterPlace>

export const EVERYWHERE: ClusterPlace = {
  node_selector: {},
  tolerations: [],
  image_pull_secrets: [],
  storage_class: null,
  volume_bytes: null,
  active_deadline_seconds: null,
  pause_when_idle: false,
}

export const CLUSTER_MEANING =
  'Where on a Kubernetes cluster the sandbox runs, and what it takes there. Other engines leave it aside.'
