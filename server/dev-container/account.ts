import type { Engine } from '../docker/engine.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import { readArchived } from '../sandbox/files/files.ts'
import { type OneShotTask, oneShotName, oneShotRequest } from '../sandbox/network/one-shot.ts'

export interface Account {
  /** As `uid:gid`. */
  user: string
  home: string
}

export interface AccountOptions {
  engine: Engine
  instanceId: string
  /** Until the returned function is called, the reconciler leaves it alone. */
  hold(name: string): () => void
}

/**
 * Who a user of an image is, read from the image's files in a container that is never started.
 * @param asked a name or a number, also as `user:group`; '' is root @throws AppError bad_request for one that is not there
 */
export async function accountIn(image: string, asked: string, options: AccountOptions): Promise<Account> {
  const { engine, instanceId, hold } = options
  const name = oneShotName()
  const release = hold(name)
  try {
    const never: OneShotTask = { command: ['/bin/sh'], network: 'none', extraHosts: [], capabilities: [] }
    const containerId = await engine.createContainer(oneShotRequest(name, image, instanceId, never))
    const textOf = async (path: string) => {
      const found = await engine.statPath(containerId, path)
      if (found?.kind !== 'file') return ''
      const content = await readArchived({ engine, containerId }, path, BOUNDS.accountFile.limit)
      return content === 'too large' ? '' : (content?.toString() ?? '')
    }
    try {
      return findAccount(asked, await textOf('/etc/passwd'), await textOf('/etc/group'))
    } finally {
      await engine.removeContainer(containerId).catch(() => {})
    }
  } finally {
    release()
  }
}

/** passwd(5): name, password, uid, gid, comment, home, shell. */
export function findAccount(asked: string, passwd: string, groups: string): Account {
  const [user = '', group] = (asked || '0').split(':')
  const rows = (text: string) => text.split('\n').map(line => line.split(':'))
  const row = rows(passwd).find(([name, , uid]) => name === user || uid === user)
  const uid = /^\d+$/.test(user) ? user : row?.[2]
  const named = group === undefined ? undefined : rows(groups).find(([name, , gid]) => name === group || gid === group)
  const gid = group === undefined ? (row?.[3] ?? '0') : (named?.[2] ?? group)
  if (uid === undefined || !isId(uid) || !isId(gid)) {
    const shown = JSON.stringify(asked.slice(0, 100))
    throw new AppError('bad_request', `The image of the dev container has no user ${shown}. Correct its remoteUser.`)
  }
  return { user: `${Number(uid)}:${Number(gid)}`, home: row?.[5]?.startsWith('/') ? row[5] : '/' }
}

function isId(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 - 1
}
