import { instanceLabels } from '../../server/docker/container/labels.ts'
import { createOptions } from '../../server/docker/container/options.ts'
import { randomToken } from '../../server/domain/ids.ts'
import { containerRequest } from '../../server/sandbox/spec.ts'
import { createTerminal } from '../../server/tools/terminal.ts'
import { outsideDocker, type Parts, startParts } from '../sandbox/parts.ts'
import { compare, interleave, type Row, timed } from './measure.ts'

/** From nothing to the end of the first command, against the same calls of the engine made by hand. */
export default async function measure(): Promise<Row[]> {
  const parts = await startParts()
  const bare = await bareSandboxes(parts)
  try {
    const runs = { warmUps: 2, runs: 16 }
    const command = await interleave({ atelier: () => sandboxWithCommand(parts), bare: bare.measure }, runs)
    const terminal = await interleave(
      { atelier: () => sandboxWithTerminal(parts), bare: bare.measure },
      { ...runs, runs: 8 },
    )
    return [
      compare('Sandbox start to first command', command, { aim: { kind: 'ratio', atMost: 1.3 } }),
      compare('Sandbox start to first command, p95', command, { share: 0.95 }),
      compare("Sandbox start to the agent's first terminal command", terminal),
    ]
  } finally {
    await bare.removeAll()
    await parts.close()
  }
}

async function sandboxWithCommand({ sandboxes }: Parts): Promise<number> {
  let id = ''
  const time = await timed(async () => {
    id = (await sandboxes.start()).id
    const { exitCode } = await (await sandboxes.open(id)).exec({ argv: ['true'] })
    if (exitCode !== 0) throw new Error(`The first command ended with ${exitCode}.`)
  })
  await sandboxes.delete(id)
  return time
}

async function sandboxWithTerminal({ sandboxes }: Parts): Promise<number> {
  let id = ''
  const terminal = createTerminal({ sandbox: () => sandboxes.open(id), mask: text => text })
  const context = { signal: AbortSignal.timeout(60_000), onOutput: () => {} }
  const time = await timed(async () => {
    id = (await sandboxes.start()).id
    const observation = await terminal.run(terminal.toAction({ command: 'true' }), context)
    if (observation.kind !== 'TerminalObservation' || observation.exit_code !== 0) throw new Error('No terminal.')
  })
  await terminal.close()
  await sandboxes.delete(id)
  return time
}

/** The same container options, with the Docker library and nothing else. */
async function bareSandboxes(parts: Parts) {
  const docker = outsideDocker()
  const instanceId = `bench-${randomToken(8)}`
  const engine = parts.connection.info()
  const spec = await parts.specs.toStart(null)
  const measure = async () => {
    const identity = { id: `atelier-bench-${randomToken(12)}`, instanceId, createdAt: new Date().toISOString() }
    const options = createOptions(containerRequest(spec, identity, engine, null))
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
