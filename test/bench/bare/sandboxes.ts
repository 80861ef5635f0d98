import { DEFAULT_ENGINE } from '../../../server/api/v1/system/engines.ts'
import { instanceLabels } from '../../../server/docker/container/labels.ts'
import { createOptions } from '../../../server/docker/container/options.ts'
import { randomToken } from '../../../server/domain/ids.ts'
import { containerRequest } from '../../../server/sandbox/spec.ts'
import { outsideDocker, type Parts } from '../../sandbox/parts.ts'
import { timed } from '../process/measure.ts'

/**
 * The same container options, with the Docker library and nothing else.
 * @param network `none` is how Atelier begins: it connects the network once its rules stand
 */
export async function bareSandboxes(parts: Parts, { network }: { network: 'none' | 'bridge' } = { network: 'none' }) {
  const docker = outsideDocker()
  const instanceId = `bench-${randomToken(8)}`
  const engine = parts.connection.info()
  const spec = await parts.specs.toStart(null, DEFAULT_ENGINE)
  const measure = async () => {
    const identity = { id: `atelier-bench-${randomToken(12)}`, instanceId, createdAt: new Date().toISOString() }
    const options = createOptions(containerRequest(spec, identity, engine, null), engine)
    options.HostConfig = { ...options.HostConfig, NetworkMode: network }
    const time = await timed(async () => {
      const container = await docker.createContainer(options)
      await container.start()
      const exec = await container.exec({ Cmd: ['true'], AttachStdout: true, AttachStderr: true })
      const output = await exec.start({ hijack: true, stdin: false })
      await new Promise<void>(resolve => output.once('end', resolve).resume())
      const { ExitCode } = await exec.inspect()
      if (ExitCode !== 0 && ExitCode !== null) throw new Error(`The first command ended with ${ExitCode}.`)
    })
    await docker.getContainer(identity.id).remove({ force: true, v: true })
    return time
  }
  const removeAll = async () => {
    const label = Object.entries(instanceLabels(instanceId)).map(([name, value]) => `${name}=${value}`)
    const left = await docker.listContainers({ all: true, filters: { label } })
    await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })))
  }
  return { measure, removeAll }
}
