import type { EngineStatus } from '../api/v1/system/system.ts'

type Step = Extract<EngineStatus, { state: 'unavailable' }>['steps'][number]

/**
 * Why no engine answers: `absent`, no socket anywhere; `refused`, a socket with nobody behind it; `denied`, this user may
 * not; `configured`, the address that was set by hand does not work; `added`, nor does one that a person added.
 */
export type EngineProblem = 'absent' | 'refused' | 'denied' | 'configured' | 'added'

/** What to do about it on this platform, in the order to try. Atelier rechecks by itself, so no step says "restart". */
export function engineAdvice(problem: EngineProblem, platform: NodeJS.Platform): Step[] {
  if (problem === 'configured') {
    return [
      step(
        'Check the address in DOCKER_HOST or in the current docker context. This lists the contexts:',
        'docker context ls',
      ),
      ...engineAdvice('refused', platform),
    ]
  }
  if (problem === 'added') {
    return [
      step(
        'Start this engine. Where its address has changed, remove it here and add it anew. Docker lists its own with:',
        'docker context ls',
      ),
    ]
  }
  if (platform === 'darwin') return MACOS
  if (platform === 'win32') return WINDOWS
  return LINUX[problem]
}

const ROOTLESS = step(
  'Or run an engine without root rights, for your user only:',
  'dockerd-rootless-setuptool.sh install',
  'https://docs.docker.com/engine/security/rootless/',
)
const JOIN_GROUP = step(
  'Allow your user to use Docker, then log out and in again:',
  'sudo usermod -aG docker "$USER"',
  'https://docs.docker.com/engine/install/linux-postinstall/',
)
const START_SERVICE = step('Start Docker:', 'sudo systemctl enable --now docker')
const PODMAN = step('Or, with Podman installed, start its service:', 'systemctl --user enable --now podman.socket')

const LINUX: Readonly<Record<Exclude<EngineProblem, 'configured' | 'added'>, Step[]>> = {
  absent: [
    step('Install Docker. On Debian and Ubuntu:', 'sudo apt-get update && sudo apt-get install -y docker.io'),
    step('On Fedora:', 'sudo dnf install -y moby-engine && sudo systemctl enable --now docker'),
    step('On other distributions, follow the manual:', null, 'https://docs.docker.com/engine/install/'),
    JOIN_GROUP,
    ROOTLESS,
    PODMAN,
  ],
  refused: [START_SERVICE, PODMAN],
  denied: [JOIN_GROUP, ROOTLESS],
}

const MACOS: Step[] = [
  step(
    'Start Docker Desktop, or install it:',
    'open -a Docker',
    'https://docs.docker.com/desktop/setup/install/mac-install/',
  ),
  step('Or use OrbStack:', 'brew install orbstack && open -a OrbStack', 'https://orbstack.dev/download'),
  step('Or use Colima:', 'brew install colima docker && colima start', 'https://github.com/abiosoft/colima'),
]

const WINDOWS: Step[] = [
  step(
    'Start Docker Desktop, or install it (it uses WSL 2):',
    'winget install -e --id Docker.DockerDesktop',
    'https://docs.docker.com/desktop/setup/install/windows-install/',
  ),
  step(
    'Or use Podman Desktop:',
    'winget install -e --id RedHat.Podman-Desktop',
    'https://podman-desktop.io/docs/installation/windows-install',
  ),
]

function step(text: string, command: string | null, url: string | null = null): Step {
  return { text, command, url }
}
