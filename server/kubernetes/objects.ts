import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SANDBOX_NETWORKS, type SandboxNetwork } from '../api/network-policy.ts'
import { LABEL, readLabels } from '../docker/container/labels.ts'

/** Prefix of our labels and annotations: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
const PREFIX = 'atelier.dev'
export const MANAGED = { 'app.kubernetes.io/managed-by': 'atelier' } as const
/** What a pod is, by which the network policies of the manifests choose. `helper`: a program of ours, such as the gateway. */
export const PART = {
  sandbox: { [`${PREFIX}/part`]: 'sandbox' },
  helper: { [`${PREFIX}/part`]: 'helper' },
} as const

const MAX_NAME = 63
/** As https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ has it, for what becomes a host name. */
const LEGAL_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/** Name in the cluster of the container with this name. Two names that differ in case alone are two names there too. */
export function objectName(name: string): string {
  if (LEGAL_NAME.test(name) && name.length <= MAX_NAME) return name
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${readable || 'container'}-${digest(name)}`
}

/**
 * Labels as the cluster takes them: a container's may hold anything, so that each becomes a digest of its name with a digest of
 * its value. What they say is in an annotation.
 */
export function selectable(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${PREFIX}/${digest(name)}`, digest(value)]))
}

/**
 * What whoever looks at the namespace wants to know, in words that kubectl can list and select by.
 * @param owner as `account@computer`
 */
export function readableLabels(name: string, labels: Readonly<Record<string, string>>, owner: string) {
  const { instanceId = '', specId = '', network } = readLabels(labels) ?? {}
  return {
    [`${PREFIX}/sandbox`]: labelValue(labels[LABEL.sandbox] || name),
    [`${PREFIX}/instance`]: labelValue(instanceId),
    [`${PREFIX}/spec`]: labelValue(specId),
    [`${PREFIX}/owner`]: labelValue(owner),
    ...(network && networkLabel(network)),
  }
}

/** By which the network policies of the manifests choose. */
export function networkLabel(network: SandboxNetwork): Record<string, string> {
  return { [`${PREFIX}/network`]: network }
}

/** What is written there; undefined where somebody else has written anything, or nothing. */
export function networkOf({ labels = {} }: ObjectMeta): SandboxNetwork | undefined {
  return SANDBOX_NETWORKS.find(each => each === labels[`${PREFIX}/network`])
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
function labelValue(text: string): string {
  const legal = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return legal.slice(0, MAX_NAME).replace(/[^A-Za-z0-9]+$/, '')
}

export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries({ ...MANAGED, ...selectable(labels) })
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

const ANNOTATION = {
  name: `${PREFIX}/name`,
  labels: `${PREFIX}/labels`,
  record: `${PREFIX}/record`,
  owner: `${PREFIX}/owner`,
} as const

/** What is known of a container that is not running. */
export interface ContainerRecord {
  wanted: 'created' | 'running' | 'paused' | 'stopped'
  /** Of its last start; '' before the first. */
  startedAt: string
  exitCode?: number | undefined
}

const recordSchema = z.object({
  wanted: z.enum(['created', 'running', 'paused', 'stopped']),
  startedAt: z.union([z.literal(''), z.iso.datetime()]),
  exitCode: z.int().optional(),
})
const labelsSchema = z.record(z.string(), z.string())

export interface ObjectMeta {
  name?: string
  uid?: string
  resourceVersion?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

export function annotationsOf(
  name: string,
  labels: Readonly<Record<string, string>>,
  owner: string,
): Record<string, string> {
  return { [ANNOTATION.name]: name, [ANNOTATION.labels]: JSON.stringify(labels), [ANNOTATION.owner]: owner }
}

export function recordAnnotation(record: ContainerRecord): Record<string, string> {
  return { [ANNOTATION.record]: JSON.stringify(record) }
}

/** Of the container that the object is a part of. One that names another container is a part of none but itself. */
export function nameOf({ name = '', annotations = {} }: ObjectMeta): string {
  const said = annotations[ANNOTATION.name]
  return said !== undefined && objectName(said) === name ? said : name
}

export function labelsOf({ annotations = {} }: ObjectMeta): Record<string, string> {
  return parsed(labelsSchema, annotations[ANNOTATION.labels]) ?? {}
}

export function recordOf({ annotations = {} }: ObjectMeta): ContainerRecord {
  return parsed(recordSchema, annotations[ANNOTATION.record]) ?? { wanted: 'stopped', startedAt: '' }
}

const REQUEST = `${PREFIX}/request`

export function requestAnnotation(request: object): Record<string, string> {
  return { [REQUEST]: JSON.stringify(request) }
}

/** As this or another version of Atelier has written it; undefined where somebody else has. */
export function requestText({ annotations = {} }: ObjectMeta): string | undefined {
  return annotations[REQUEST]
}

/** A selector finds digests; two texts of one digest are nobody's plan, but a label of somebody else's is cheap to rule out. */
export function hasLabels(meta: ObjectMeta, labels: Readonly<Record<string, string>>): boolean {
  const own = labelsOf(meta)
  return Object.entries(labels).every(([name, value]) => own[name] === value)
}

function parsed<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    const result = schema.safeParse(JSON.parse(text ?? 'null'))
    return result.success ? result.data : undefined
  } catch {
    return undefined
  }
}
