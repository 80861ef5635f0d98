import { STEPS, type StepCode } from '../api/v1/system/step-words.ts'
import type { Step } from '../api/v1/system/system.ts'

/**
 * Why no engine answers: `absent`, no socket anywhere; `refused`, a socket with nobody behind it; `denied`, this user may
 * not; `configured`, the address that was set by hand does not work; `added`, nor does one that a person added.
 */
export type EngineProblem = 'absent' | 'refused' | 'denied' | 'configured' | 'added'

/** What to do about it on this platform, in the order to try. Atelier rechecks by itself, so no step says "restart". */
export function engineAdvice(problem: EngineProblem, platform: NodeJS.Platform): Step[] {
  if (problem === 'configured') {
    return [step('check_docker_context', 'docker context ls'), ...engineAdvice('refused', platform)]
  }
  if (problem === 'added') {
    return [step('start_added_engine', 'docker context ls')]
  }
  if (platform === 'darwin') return MACOS
  if (platform === 'win32') return WINDOWS
  return LINUX[problem]
}

const ROOTLESS = step(
  'use_rootless_docker',
  'dockerd-rootless-setuptool.sh install',
  'https://docs.docker.com/engine/security/rootless/',
)
const JOIN_GROUP = step(
  'join_docker_group',
  'sudo usermod -aG docker "$USER"',
  'https://docs.docker.com/engine/install/linux-postinstall/',
)
const START_SERVICE = step('start_docker', 'sudo systemctl enable --now docker')
const PODMAN = step('start_podman', 'systemctl --user enable --now podman.socket')

const LINUX: Readonly<Record<Exclude<EngineProblem, 'configured' | 'added'>, Step[]>> = {
  absent: [
    step('install_docker_debian', 'sudo apt-get update && sudo apt-get install -y docker.io'),
    step('install_docker_fedora', 'sudo dnf install -y moby-engine && sudo systemctl enable --now docker'),
    step('install_docker_elsewhere', null, 'https://docs.docker.com/engine/install/'),
    JOIN_GROUP,
    ROOTLESS,
    PODMAN,
  ],
  refused: [START_SERVICE, PODMAN],
  denied: [JOIN_GROUP, ROOTLESS],
}

const MACOS: Step[] = [
  step('start_docker_desktop', 'open -a Docker', 'https://docs.docker.com/desktop/setup/install/mac-install/'),
  step('use_orbstack', 'brew install orbstack && open -a OrbStack', 'https://orbstack.dev/download'),
  step('use_colima', 'brew install colima docker && colima start', 'https://github.com/abiosoft/colima'),
]

const WINDOWS: Step[] = [
  step(
    'start_docker_desktop',
    'winget install -e --id Docker.DockerDesktop',
    'https://docs.docker.com/desktop/setup/install/windows-install/',
  ),
  step(
    'use_podman_desktop',
    'winget install -e --id RedHat.Podman-Desktop',
    'https://podman-desktop.io/docs/installation/windows-install',
  ),
]

export function step(code: StepCode, command: string | null, url: string | null = null): Step {
  return { code, text: STEPS[code], command, url }
}
