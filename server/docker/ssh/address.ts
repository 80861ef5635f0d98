/** `ssh://user@host:port`, as in DOCKER_HOST and in Docker's contexts. */
export interface SshAddress {
  host: string
  user: string | undefined
  port: string | undefined
}

/**
 * What is not a plain name could be an option of `ssh`. Passwords are refused: other users of this machine see the arguments
 * of a program.
 * @throws Error in words
 */
export function sshAddress(text: string): SshAddress {
  const url = new URL(text)
  if (url.password) throw new Error('an address of ssh:// holds no password; use a key and the SSH agent.')
  if (url.pathname !== '' && url.pathname !== '/') throw new Error('an address of ssh:// ends after the host.')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const user = decodeURIComponent(url.username)
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.:%-]*$/.test(host)) throw new Error('it names no host.')
  if (user && !/^[A-Za-z0-9_][A-Za-z0-9_.@+-]*$/.test(user)) throw new Error('it names no user that could be.')
  return { host, user: user || undefined, port: url.port || undefined }
}

/**
 * Asks for nothing, since nobody would see the question; notices a connection that is gone within a minute.
 * @param control a socket for further sessions over the connection of the first one, where the system's `ssh` has that
 */
export function sshArguments({ host, user, port }: SshAddress, control: string | undefined): string[] {
  const shared = control ? ['ControlMaster=auto', `ControlPath=${control}`, 'ControlPersist=60'] : []
  const options = ['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=15', 'ServerAliveCountMax=3', ...shared]
  return [
    '-T',
    ...options.flatMap(option => ['-o', option]),
    ...(user ? ['-l', user] : []),
    ...(port ? ['-p', port] : []),
    '--',
    host,
    // The one way that finds the engine of that machine whatever its socket is called: Docker's own client asks so, too.
    'docker system dial-stdio',
  ]
}
