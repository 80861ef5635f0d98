import type { Fields, Tree } from './document.ts'

const isSet = (value: Tree | undefined) =>
  !(
    value === undefined ||
    value === null ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )

const isHost = (value: Tree | undefined) => typeof value === 'string' && /^(host|container:|service:)/.test(value)

interface Refusal {
  field: string
  /** Whether this value of the field is refused. */
  refuses: (value: Tree | undefined) => boolean
  why: string
}

const OUT_OF_SANDBOX = 'would reach out of the sandbox'
const UNSUPPORTED = 'is not supported here; write it out in the file'

/** What no service beside a sandbox gets. */
const REFUSALS: readonly Refusal[] = [
  { field: 'privileged', refuses: isSet, why: OUT_OF_SANDBOX },
  {
    field: 'network_mode',
    refuses: value =>
      isSet(value) && value !== 'bridge' && value !== 'default' && !String(value).startsWith('service:'),
    why: 'is another network than that of the sandbox',
  },
  { field: 'pid', refuses: isHost, why: OUT_OF_SANDBOX },
  { field: 'ipc', refuses: isHost, why: OUT_OF_SANDBOX },
  { field: 'uts', refuses: isHost, why: OUT_OF_SANDBOX },
  { field: 'cgroup', refuses: isHost, why: OUT_OF_SANDBOX },
  { field: 'userns_mode', refuses: isSet, why: OUT_OF_SANDBOX },
  { field: 'cgroup_parent', refuses: isSet, why: OUT_OF_SANDBOX },
  { field: 'cap_add', refuses: isSet, why: OUT_OF_SANDBOX },
  { field: 'devices', refuses: isSet, why: OUT_OF_SANDBOX },
  { field: 'device_cgroup_rules', refuses: isSet, why: OUT_OF_SANDBOX },
  { field: 'gpus', refuses: isSet, why: OUT_OF_SANDBOX },
  {
    field: 'security_opt',
    refuses: value =>
      isSet(value) && !(Array.isArray(value) && value.every(each => /^no-new-privileges[:=]true$/.test(String(each)))),
    why: OUT_OF_SANDBOX,
  },
  { field: 'runtime', refuses: isSet, why: 'is chosen in the sandbox spec' },
  { field: 'volumes_from', refuses: isSet, why: UNSUPPORTED },
  { field: 'extends', refuses: isSet, why: UNSUPPORTED },
  { field: 'secrets', refuses: isSet, why: `${UNSUPPORTED}, as a variable or a file` },
  { field: 'configs', refuses: isSet, why: `${UNSUPPORTED}, as a file under volumes` },
  { field: 'provider', refuses: isSet, why: 'is no container' },
]

/** Why a service is not started, in a sentence; null where nothing of it is refused. */
export function refusalOf(service: Fields): string | null {
  const found = REFUSALS.find(({ field, refuses }) => refuses(service[field]))
  if (found) return `Its \`${found.field}\` ${found.why}.`
  if (!isSet(service.image) && !isSet(service.build)) return 'It names no image.'
  return null
}
