import { userInfo } from 'node:os'
import type { DiagnosisFinding } from '../api/v1/system/diagnosis.ts'
import type { Step } from '../api/v1/system/system.ts'
import { step } from '../docker/advice.ts'
import { shellQuote } from '../text/shell-quote.ts'

type StepsOf = (platform: NodeJS.Platform) => Step[]

/** A rootless engine is managed by the systemd of its user: https://rootlesscontaine.rs/getting-started/common/cgroup2/ */
const DELEGATE =
  "sudo mkdir -p /etc/systemd/system/user@.service.d && printf '[Service]\\nDelegate=cpu cpuset io memory pids\\n' | sudo tee /etc/systemd/system/user@.service.d/delegate.conf && sudo systemctl daemon-reload"

const DESKTOP_MANUAL = 'https://docs.docker.com/desktop/settings-and-maintenance/settings/'

/** What a person does by hand about a finding that no operation of Atelier repairs. */
const STEPS_OF: Readonly<Partial<Record<DiagnosisFinding, StepsOf>>> = {
  engine_old: platform =>
    platform === 'linux'
      ? [
          step('update_docker_debian', 'sudo apt-get update && sudo apt-get install -y --only-upgrade docker.io'),
          step('update_docker_fedora', 'sudo dnf upgrade -y moby-engine'),
          step('update_docker_elsewhere', null, 'https://docs.docker.com/engine/install/'),
        ]
      : [step('update_docker_desktop', null, 'https://docs.docker.com/desktop/release-notes/')],
  limits_missing: platform =>
    platform === 'linux'
      ? [step('delegate_control_groups', DELEGATE, 'https://rootlesscontaine.rs/getting-started/common/cgroup2/')]
      : [step('update_docker_desktop', null, 'https://docs.docker.com/desktop/release-notes/')],
  isolation_no_filter: () => [step('filter_system_calls', null, 'https://docs.docker.com/engine/security/seccomp/')],
  storage_driver_slow: () => [
    step('choose_storage_driver', null, 'https://docs.docker.com/engine/storage/drivers/overlayfs-driver/'),
  ],
  shares_refused: () => [step('share_folder', null, DESKTOP_MANUAL)],
  clock_differs: platform => [restart(platform), setClock(platform)],
  keychain_missing: installKeychain,
  keychain_failed: installKeychain,
  proxy_unusable: platform => [
    step(
      'set_proxy',
      platform === 'win32'
        ? 'setx HTTPS_PROXY http://proxy.example.com:3128'
        : 'export HTTPS_PROXY=http://proxy.example.com:3128',
    ),
  ],
}

/** @returns none where an operation repairs it, or where nothing is wrong */
export function repairSteps(finding: DiagnosisFinding, platform: NodeJS.Platform): Step[] {
  return STEPS_OF[finding]?.(platform) ?? []
}

/** The user is named: a variable would be one of cmd.exe or one of PowerShell, and the command is to work in both. */
export function restrictFolder(folder: string, platform: NodeJS.Platform): Step[] {
  const command =
    platform === 'win32'
      ? `icacls "${folder}" /inheritance:r /grant:r "${userInfo().username}:(OI)(CI)F"`
      : `chmod -R go= ${shellQuote(folder)}`
  return [step('restrict_data_folder', command)]
}

export function findProgramOf(ports: readonly number[], platform: NodeJS.Platform): Step[] {
  return ports.map(port => step('find_program_of_port', listenersOf(port, platform)))
}

function listenersOf(port: number, platform: NodeJS.Platform): string {
  return byPlatform(platform, {
    linux: `ss -ltnp 'sport = :${port}'`,
    darwin: `lsof -nP -iTCP:${port} -sTCP:LISTEN`,
    win32: `netstat -ano | findstr :${port}`,
  })
}

function restart(platform: NodeJS.Platform): Step {
  const command = byPlatform(platform, {
    linux: 'sudo systemctl restart docker',
    darwin: `osascript -e 'quit app "Docker"'; sleep 5; open -a Docker`,
    win32: 'wsl --shutdown',
  })
  return step('restart_engine', command)
}

function setClock(platform: NodeJS.Platform): Step {
  const command = byPlatform(platform, {
    linux: 'sudo timedatectl set-ntp true',
    darwin: 'sudo sntp -sS time.apple.com',
    win32: 'w32tm /resync',
  })
  return step('set_clock', command)
}

/** Any other system is taken for a Linux. */
function byPlatform<T>(platform: NodeJS.Platform, of: Record<'linux' | 'darwin' | 'win32', T>): T {
  return platform === 'darwin' || platform === 'win32' ? of[platform] : of.linux
}

function installKeychain(platform: NodeJS.Platform): Step[] {
  if (platform === 'darwin') return [step('unlock_keychain', 'security unlock-keychain')]
  if (platform === 'win32') return [step('unlock_keychain', 'control /name Microsoft.CredentialManager')]
  return [
    step('install_keychain_debian', 'sudo apt-get install -y gnome-keyring libpam-gnome-keyring'),
    step('install_keychain_fedora', 'sudo dnf install -y gnome-keyring gnome-keyring-pam'),
  ]
}
