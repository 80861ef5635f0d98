import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort, isListening } from '../network/port.ts'

export interface SshServer {
  /** As in DOCKER_HOST. */
  host: string
  /** With a key that the server knows, and its own among the known hosts. */
  env: NodeJS.ProcessEnv
  /** The same, but for the key. */
  envWithoutKey: NodeJS.ProcessEnv
  close(): void
}

/**
 * This machine as another one, which is reached over SSH. Needs root, as the server does.
 * @param behind the engine that answers there, as in DOCKER_HOST
 */
export async function startSshServer(behind = process.env.DOCKER_HOST ?? ''): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-ssh-server-'))
  const file = (name: string, text: string, mode = 0o600) => {
    writeFileSync(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const key = (name: string) => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
    return join(folder, name)
  }
  const port = await freePort()
  const [hostKey, userKey] = [key('host'), key('user')]
  const known = file('known', `[127.0.0.1]:${port} ${readFileSync(`${hostKey}.pub`, 'utf8')}`)
  const allowed = file('allowed', readFileSync(`${userKey}.pub`, 'utf8'))
  chmodSync(folder, 0o700)
  // Where the server keeps what it does before anybody has logged in.
  mkdirSync('/run/sshd', { recursive: true })
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${allowed}`,
    'PasswordAuthentication no',
    'StrictModes no',
    'PidFile none',
    `SetEnv DOCKER_HOST=${behind} PATH=${process.env.PATH}`,
  ]
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', file('server', `${settings.join('\n')}\n`)], {
    stdio: 'ignore',
  })
  const client = (name: string, identity: string) => {
    const text = `UserKnownHostsFile ${known}\nIdentityFile ${identity}\nIdentitiesOnly yes\n`
    const bin = join(folder, name)
    mkdirSync(bin)
    const program = `#!/bin/sh\nexec /usr/bin/ssh -F ${file(`${name}.config`, text)} "$@"\n`
    writeFileSync(join(bin, 'ssh'), program, { mode: 0o755 })
    return { PATH: `${bin}:${process.env.PATH}` }
  }
  await isListening(port)
  return {
    host: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    env: client('client', userKey),
    envWithoutKey: client('stranger', key('other')),
    close: () => {
      server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
