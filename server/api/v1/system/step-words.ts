/** What a person can do about an engine or a finding, in words. The code is the contract, and other languages have words of their own for it. */
export const STEPS = {
  check_docker_context: 'Check the address in DOCKER_HOST or in the current docker context. This lists the contexts:',
  start_added_engine:
    'Start this engine. Where its address has changed, remove it here and add it anew. Docker lists its own with:',
  check_cluster: 'Check that this computer reaches the cluster, and may use it:',
  install_docker_debian: 'Install Docker. On Debian and Ubuntu:',
  install_docker_fedora: 'On Fedora:',
  install_docker_elsewhere: 'On other distributions, follow the manual:',
  join_docker_group: 'Allow your user to use Docker, then log out and in again:',
  use_rootless_docker: 'Or run an engine without root rights, for your user only:',
  start_docker: 'Start Docker:',
  start_podman: 'Or, with Podman installed, start its service:',
  start_docker_desktop: 'Start Docker Desktop, or install it:',
  use_orbstack: 'Or use OrbStack:',
  use_colima: 'Or use Colima:',
  use_podman_desktop: 'Or use Podman Desktop:',
  update_docker_debian: 'Update Docker. On Debian and Ubuntu:',
  update_docker_fedora: 'On Fedora:',
  update_docker_elsewhere: 'On other distributions, follow the manual:',
  update_docker_desktop: 'Update Docker Desktop, or the engine that you use:',
  delegate_control_groups:
    'Where an engine without root rights is managed by systemd, let it limit your processes, then log out and in again:',
  filter_system_calls: 'Turn the filter on in the configuration of the engine:',
  choose_storage_driver: 'Choose the storage driver overlay2 in the configuration of Docker, and restart it:',
  share_folder: 'Share the folder with the virtual machine of the engine:',
  restart_engine: 'Restart the engine, on the computer that it runs on:',
  set_clock: 'Let this computer set its clock by the network:',
  install_keychain_debian: 'Install a keychain, then log out and in again. On Debian and Ubuntu:',
  install_keychain_fedora: 'On Fedora:',
  unlock_keychain: 'Unlock the keychain:',
  restrict_data_folder: 'Take away the access of other users:',
  find_program_of_port: 'See which program uses the port, and end it. Atelier takes its port back at the next start:',
  set_proxy: 'Set the address of the proxy where Atelier is started:',
} as const

export type StepCode = keyof typeof STEPS
