import { z } from 'zod'
import { dateTime } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { ALLOWLIST_PRESETS, type AllowedNameProblem, parseAllowedName, SANDBOX_NETWORKS } from '../../network-policy.ts'

/**
 * `full` and `allowlist` reach, of this machine and its network, only what `allowed_hosts` of the settings opens; `none`
 * reaches nothing at all.
 */
export const sandboxNetwork = z.enum(SANDBOX_NETWORKS)

export const NETWORK_MEANING =
  'What the sandbox reaches: the internet (`full`), the hosts of its `allowlist`, or nothing (`none`).'
export const ALLOWLIST_MEANING = 'What is reached while `network` is `allowlist`; kept, and without effect, otherwise.'

export const MAX_HOSTS = 200
const MAX_TEXT = 300

const allowedName = z
  .string()
  .max(MAX_TEXT)
  .superRefine((text, context) => {
    const read = parseAllowedName(text)
    if ('problem' in read) context.addIssue({ code: 'custom', message: messageOf(read) })
  })

function messageOf(problem: AllowedNameProblem): string {
  switch (problem.problem) {
    case 'shape':
      return 'write a host like registry.npmjs.org, *.example.com or github.com:22, without a scheme or a path'
    case 'port':
      return 'a port is from 1 to 65535'
    case 'address':
      return 'an address has no names below it'
    case 'localhost':
      return 'localhost is the sandbox itself'
    case 'wide':
      return `*.${problem.name} is nearly everything; name what is meant, like *.example.${problem.name}`
  }
}

export const allowlist = z.object({
  presets: z
    .array(z.enum(ALLOWLIST_PRESETS))
    .max(ALLOWLIST_PRESETS.length)
    .default([])
    .describe('Groups of hosts: registries of packages, hosts of code, documentation.'),
  hosts: z
    .array(allowedName)
    .max(MAX_HOSTS)
    .default([])
    .describe(
      'Names, `*.` before one for every name below it, and public addresses. A name stands for HTTP and TLS, at every port, or at the one that is named; at its own port (`github.com:22`) a name without `*.` stands for every protocol of TCP. So does an address, at its port or at all.',
    ),
})

export const networkPolicy = z.object({
  network: sandboxNetwork.describe(NETWORK_MEANING),
  allowlist: allowlist.default({ presets: [], hosts: [] }).describe(ALLOWLIST_MEANING),
})
export type NetworkPolicyInfo = z.output<typeof networkPolicy>

export const NETWORK_VERDICTS = ['allowed', 'refused', 'failed'] as const

export const networkAttempt = z.object({
  host: z
    .string()
    .nullable()
    .describe('Name of the host, or an address; null where a program named none, and had looked none up.'),
  port: z.int().describe('Port of the host.'),
  verdict: z
    .enum(NETWORK_VERDICTS)
    .describe('`refused` was not let through; `failed` was allowed, but the host was not found or did not answer.'),
  reason: z
    .enum(['policy', 'private'])
    .nullable()
    .describe(
      'Why it was refused: the allowlist has it not (`policy`), or it is an address of this machine or its network, which only `allowed_hosts` of the settings opens (`private`); null where it was not.',
    ),
  count: z.int().describe('How often.'),
  first_at: dateTime.describe('When it was tried first.'),
  last_at: dateTime.describe('When it was tried last.'),
})
export type NetworkAttempt = z.output<typeof networkAttempt>

export const sandboxNetworkInfo = z.object({
  network: sandboxNetwork.describe(NETWORK_MEANING),
  allowlist: allowlist.describe(ALLOWLIST_MEANING),
  attempts: z
    .array(networkAttempt)
    .describe(
      'What programs in it tried to reach, newest first, up to 200 hosts: everything while `network` was `allowlist`, and private addresses that were refused while it was `full`.',
    ),
})
export type SandboxNetworkInfo = z.output<typeof sandboxNetworkInfo>

const params = z.object({ sandbox_id: z.string().min(1).max(100).describe('Id of the sandbox.') })
const tag = 'Sandboxes'

export const getSandboxNetwork = route({
  method: 'get',
  path: '/api/v1/sandboxes/{sandbox_id}/network',
  summary: 'Read the network of a sandbox',
  description:
    'Reads what the sandbox may reach, and what its programs have tried to reach since the service started. The updates socket tells of changes as `sandbox-network`.',
  tag,
  params,
  failures: ['sandbox_not_found'],
  reply: sandboxNetworkInfo,
})

export const setSandboxNetwork = route({
  method: 'put',
  path: '/api/v1/sandboxes/{sandbox_id}/network',
  summary: 'Change what a sandbox reaches',
  description:
    'Changes what the sandbox reaches, at once: also open connections to what is no longer allowed end. It holds until it is changed again, whatever the spec says.',
  tag,
  params,
  body: networkPolicy,
  failures: ['sandbox_not_found', 'bad_request', 'conflict', 'engine_unavailable'],
  reply: sandboxNetworkInfo,
})
