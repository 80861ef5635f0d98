import { isDebian } from '../machine/debian.mjs'

/**
 * What to do where no engine answers.
 * @param {NodeJS.Platform} platform
 */
export function engineAdvice(platform = process.platform) {
  if (platform === 'darwin') {
    return 'Install and start Docker Desktop (https://docs.docker.com/desktop/setup/install/mac-install/), OrbStack, or Colima: brew install colima && colima start'
  }
  if (platform === 'win32') {
    return 'Install and start Docker Desktop (https://docs.docker.com/desktop/setup/install/windows-install/) or Podman Desktop.'
  }
  if (isDebian()) {
    return 'Install and start Docker: sudo apt-get install -y docker.io && sudo usermod -aG docker "$USER", then log in again. With Podman: systemctl --user enable --now podman.socket'
  }
  return 'Install and start Docker (https://docs.docker.com/engine/install/), or with Podman: systemctl --user enable --now podman.socket'
}
