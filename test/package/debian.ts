import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'

/** The person of the system. */
const USER = 'ada'
const DISPLAY = ':1'
export const KEY = 'sk-of-this-test'

/**
 * In mount, network and process namespaces of its own, which end with its first process: an overlay over the folder, a network that is
 * nothing but its own loopback, and no way back to the rest of the machine. The folder of packages is /mnt.
 */
const BOOT = `set -e
root=$1 work=$2 packages=$3
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/root"
mount -t overlay overlay -o "lowerdir=$root,upperdir=$work/upper,workdir=$work/work" "$work/root"
cd "$work/root"
busybox ip link set lo up
mount -t proc proc proc
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do touch dev/$device; mount --bind /dev/$device dev/$device; done
ln -s /proc/self/fd dev/fd
mkdir dev/shm
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount --bind -o ro "$packages" mnt
pivot_root . .
umount -l .
exec sh -c 'echo ready; cat >/dev/null'`

export interface Result {
  code: number
  stdout: string
  stderr: string
}

export interface Started {
  /** The end of what it has written. */
  output: () => string
  ended: Promise<number>
}

/** A running Debian, to install packages in. */
export class Debian {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #work: string
  readonly #first: number

  private constructor(process: ChildProcessByStdio<Writable, Readable, null>, work: string) {
    this.#process = process
    this.#work = work
    const [first] = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ')
    this.#first = Number(first)
  }

  /** @param packages a folder of this machine */
  static async boot(packages: string): Promise<Debian> {
    const root = process.env.ATELIER_TEST_ROOT
    if (!root) throw new Error('ATELIER_TEST_ROOT is not set: run the tests of packages with `npm run test:packages`.')
    const work = mkdtempSync(join(tmpdir(), 'atelier-debian-'))
    const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--propagation=private']
    const child = spawn('unshare', [...namespaces, 'sh', '-c', BOOT, 'sh', root, work, packages], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => {
        throw new Error('The Debian to install packages in did not start.')
      }),
    ])
    return new Debian(child, work)
  }

  /** Runs a program as root, or as a person with exactly the environment given. */
  async run(command: readonly string[], person?: Record<string, string>): Promise<Result> {
    const [program = '', ...args] = this.#inside(command, person)
    try {
      return { code: 0, ...(await promisify(execFile)(program, args, { maxBuffer: 32 * 1024 * 1024 })) }
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string }
      return { code: typeof code === 'number' ? code : 1, stdout, stderr }
    }
  }

  /** The same, of which nothing but success is expected. @returns stdout */
  async must(command: readonly string[], person?: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await this.run(command, person)
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}.\n${stdout}${stderr}`)
    return stdout
  }

  /** Starts a program as the person, which goes on. */
  start(command: readonly string[], env: Record<string, string> = {}): Started {
    return this.#start(this.#inside(command, env))
  }

  /** The same where no user namespace can be made, as the kernel makes none for a process in another root. */
  async startWithoutUserNamespaces(command: readonly string[], env: Record<string, string> = {}): Promise<Started> {
    await this.must(['mount', '--rbind', '/', '/srv'])
    const { output, ended } = this.#start(this.#inside(command, env, ['chroot', '/srv']))
    const unmounted = async (code: number): Promise<number> => {
      await this.must(['umount', '--recursive', '--lazy', '/srv'])
      return code
    }
    return { output, ended: ended.then(unmounted) }
  }

  #start([program = '', ...args]: readonly string[]): Started {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output = (output + chunk).slice(-20_000)
      })
    }
    return { output: () => output, ended: once(child, 'exit').then(([code]) => code) }
  }

  /** A command of Atelier as the person. */
  atelier(words: readonly string[]): Promise<Result> {
    return this.run(['atelier', ...words], { SESSION_API_KEY: KEY })
  }

  /** A port of this machine whose connections go to one of its loopback. */
  async relay(port: number): Promise<{ address: string; close: () => void }> {
    const connect = `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3 & cat >&3; kill $!`
    const [program = '', ...args] = this.#inside(['bash', '-c', connect])
    const server = createServer(socket => {
      const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
      // Whichever side ends first, the other does too.
      const end = () => {
        socket.destroy()
        child.kill()
      }
      for (const stream of [socket, child.stdin, child.stdout]) stream.once('error', end).once('close', end)
      socket.pipe(child.stdin)
      child.stdout.pipe(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { address, close: () => server.close() }
  }

  /** A program of this machine on the network of the Debian, so that both see the same loopback. */
  onItsNetwork(command: readonly string[]): string[] {
    return ['nsenter', `--target=${this.#first}`, '--net', ...command]
  }

  /** Every path that is neither the person's nor what dpkg keeps of its work, and lies on a disk. */
  async paths(): Promise<string[]> {
    const kept = [
      '/home',
      '/tmp',
      '/mnt',
      '/run',
      '/var/tmp',
      '/var/log',
      '/var/lib/dpkg',
      '/var/cache/debconf',
      '/root',
    ]
    const skipped = kept.flatMap((path, index) => [...(index > 0 ? ['-o'] : []), '-path', path])
    const found = await this.must(['find', '/', '-xdev', '(', ...skipped, ')', '-prune', '-o', '-print'])
    return found.trim().split('\n').sort()
  }

  /** The processes with this in their command line, by what /proc says of each. */
  async processes(word: string): Promise<{ command: string; status: Record<string, string> }[]> {
    const script = 'cd /proc; for p in [0-9]*; do tr "\\0" " " <$p/cmdline; echo; cat $p/status; echo; done 2>/dev/null'
    const blocks = (await this.must(['sh', '-c', script])).split('\n\n')
    return blocks.flatMap(block => {
      const [command = '', ...lines] = block.split('\n')
      if (!command.includes(word) || command.startsWith('sh -c')) return []
      return [{ command, status: Object.fromEntries(lines.map(line => line.split(/:\s*/, 2))) }]
    })
  }

  /** Its processes end with it, and its disk is gone. */
  async shutDown(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.stdin.end()
    await ended
    rmdirSync(this.#work)
  }

  #inside(command: readonly string[], person?: Record<string, string>, through: readonly string[] = []): string[] {
    const enter = ['nsenter', `--target=${this.#first}`, '--mount', '--net', '--pid', ...through]
    const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    if (!person) return [...enter, 'env', '-i', '--chdir=/', path, 'LANG=C.UTF-8', ...command]
    const env = { HOME: `/home/${USER}`, USER, LANG: 'C.UTF-8', DISPLAY, ...person }
    const words = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    return [...enter, 'runuser', '-u', USER, '--', 'env', '-i', `--chdir=/home/${USER}`, path, ...words, ...command]
  }
}
