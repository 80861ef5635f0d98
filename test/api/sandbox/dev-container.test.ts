import { describe, expect } from 'vitest'
import { lookForDevContainers } from '../../../server/api/v1/sandbox/dev-containers.ts'
import { LABEL } from '../../../server/docker/container/labels.ts'
import { readBundledImage } from '../../../server/sandbox/image.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { imagesOf, runScript, testEngine } from '../../parts/engine/containers.ts'
import { startGitServer } from '../../parts/git-server.ts'
import { newFolder } from '../../parts/test-folder.ts'
import { resourcesDir } from '../../sandbox/parts.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { allowed_hosts: ['localhost', 'host.docker.internal'] }),
  }))
  .extend('git', { scope: 'file' }, async ({}, { onCleanup }) => {
    const git = await startGitServer()
    onCleanup(() => git.close())
    return git
  })
  /** The image that every engine of the tests has. */
  .extend('image', { scope: 'file' }, async () => (await readBundledImage(resourcesDir))?.reference ?? '')

const PATH = '.devcontainer/devcontainer.json'

const filesOf = (image: string) => ({
  [PATH]: `{
    // What a person of this repository works with.
    "name": "Tool",
    "build": { "dockerfile": "Dockerfile", "context": "..", "args": { "WORD": "built" } },
    "features": { "./greeter": { "greeting": "good day" } },
    "remoteUser": "dev",
    "containerEnv": { "COLOUR": "blue" },
    "remoteEnv": { "PATH": "/opt/tool:\${containerEnv:PATH}", "HOST": "\${localEnv:HOME}" },
    "workspaceFolder": "/code/tool",
    "forwardPorts": [3000],
    "postCreateCommand": "id -un > created && pwd >> created && cat content >> created",
    "postStartCommand": { "one": "echo one > one", "two": ["sh", "-c", "echo two; exit 3"] },
    "initializeCommand": "touch /tmp/atelier-test-initialized",
    "runArgs": ["--privileged"], "mounts": ["source=/,target=/host,type=bind"],
  }`,
  '.devcontainer/Dockerfile': `FROM ${image}
ARG WORD
RUN useradd -m -u 1234 dev && echo $WORD > /built
COPY content /copied
`,
  '.devcontainer/greeter/devcontainer-feature.json': JSON.stringify({
    id: 'greeter',
    version: '1.0.0',
    name: 'Greeter',
    options: { greeting: { type: 'string', default: 'hello' } },
    containerEnv: { GREETER: 'yes' },
  }),
  '.devcontainer/greeter/install.sh': `#!/bin/sh
set -e
printf '#!/bin/sh\\necho "%s, %s in %s"\\n' "$GREETING" "$_REMOTE_USER" "$_REMOTE_USER_HOME" > /usr/local/bin/greet
chmod +x /usr/local/bin/greet
`,
  content: 'of the repository\n',
})

const LOOK = `id -u; echo "$HOME $COLOUR $GREETER [$HOST]"; echo $PATH; cat /built /copied created one; /usr/local/bin/greet
ls -d /host 2>/dev/null; grep -i ^capeff /proc/self/status; git status --short; git log --oneline | wc -l`

describe('a dev container', () => {
  it('of a repository is offered, built, and set up as it says', async ({ service, git, image }) => {
    await git.add('tool', filesOf(image))
    const body = { selected_repository: git.url('tool') }
    const { items } = await service.client.call(lookForDevContainers, { body })
    expect(items).toEqual([
      {
        path: PATH,
        name: 'Tool',
        image: null,
        dockerfile: '.devcontainer/Dockerfile',
        features: ['./greeter'],
        user: 'dev',
        commands: ['postCreateCommand', 'postStartCommand'],
        variables: ['COLOUR', 'PATH', 'HOST'],
        ports: [3000],
        port_attributes: [],
        left_out: [
          { property: 'initializeCommand', reason: 'runs_on_host' },
          { property: 'runArgs', reason: 'engine_options' },
          { property: 'mounts', reason: 'mounts' },
        ],
        problem: null,
        image_ready: false,
      },
    ])
    const task = await startConversation(service, { ...body, dev_container: { path: PATH } })
    expect(task.detail).toBeNull()
    const [sandbox, , setUp] = task.steps
    expect(sandbox?.detail).toBe('Dev container Tool. Left out: initializeCommand, runArgs, mounts.')
    expect(setUp?.detail).toContain('postStartCommand ended with exit code 3. It said: two')
    const { printed } = await runScript(task.sandbox_id ?? '', { cwd: '/code/tool', script: LOOK })
    expect(printed.split('\n')).toEqual([
      '1234',
      '/home/dev blue yes []',
      expect.stringMatching(/^\/opt\/tool:\/usr\/local/),
      'built',
      'of the repository',
      'dev',
      '/code/tool',
      'of the repository',
      'one',
      'good day, dev in /home/dev',
      'CapEff:\t0000000000000000',
      '?? created',
      '?? one',
      '1',
    ])
    const again = await service.client.call(lookForDevContainers, { body })
    expect(again.items[0]?.image_ready).toBe(true)
  })

  it('of a folder with an image as it is runs as root there', async ({ service, image }) => {
    const text = JSON.stringify({ image, containerEnv: { COLOUR: 'red' }, onCreateCommand: 'echo $COLOUR > created' })
    const folder = newFolder().write({ '.devcontainer.json': text, 'a.txt': 'a\n' }).commit()
    const source = { kind: 'folder' as const, path: folder.path }
    const { items } = await service.client.call(lookForDevContainers, { body: { source } })
    expect(items).toMatchObject([{ path: '.devcontainer.json', image, problem: null }])
    const task = await startConversation(service, { source, dev_container: { path: '.devcontainer.json' } })
    expect(task.detail).toBeNull()
    expect(task.steps[2]?.detail).toBe('onCreateCommand ended well.')
    const script = 'id -u; cat /workspaces/*/created; cat /workspaces/*/a.txt'
    expect((await runScript(task.sandbox_id ?? '', { cwd: '/', script })).printed).toBe('0\nred\na')
  })

  it('that is a service of a compose file is built as that says, and a build that fails leaves nothing', async ({
    service,
    git,
    image,
  }) => {
    const dockerfile = (last: string) => `FROM ${image}\nRUN echo built > /built\nCOPY . /context\n${last}\n`
    const configuration = JSON.stringify({ dockerComposeFile: 'compose.yml', service: 'app' })
    const files = (last: string) => ({
      [PATH]: configuration,
      '.devcontainer/compose.yml':
        'services: {app: {build: {context: ../app}, environment: {WORD: said}, volumes: ["..:/code"]}, db: {image: none}}',
      'app/Dockerfile': dockerfile(last),
      'app/content': 'of the context\n',
    })
    await git.add('composed', files(''))
    const body = { selected_repository: git.url('composed'), dev_container: { path: PATH } }
    const task = await startConversation(service, body)
    expect(task.detail).toBeNull()
    const script = 'cat /built /context/content; echo $WORD'
    const { printed } = await runScript(task.sandbox_id ?? '', { cwd: '/', script })
    expect(printed).toBe('built\nof the context\nsaid')

    await git.add('failing', files('RUN exit 3'))
    const failed = await startConversation(service, { ...body, selected_repository: git.url('failing') })
    expect(failed).toMatchObject({ status: 'ERROR', sandbox_id: null })
    const engine = testEngine()
    const own = (await engine.inspectContainer(task.sandbox_id ?? ''))?.labels[LABEL.instance] ?? ''
    const unnamed = async () => (await imagesOf(engine, own)).filter(({ name }) => !name.startsWith('atelier-'))
    await expect.poll(unnamed).toEqual([])
    await engine.close()
  })

  it('that cannot be used says why, and no start leaves anything behind', async ({ service, git }) => {
    const compose = JSON.stringify({ dockerComposeFile: 'compose.yaml', service: 'app' })
    const outside = JSON.stringify({ build: { dockerfile: '../../../Dockerfile' } })
    await git.add('unusable', { [PATH]: compose, '.devcontainer/other/devcontainer.json': outside })
    const body = { selected_repository: git.url('unusable') }
    const { items } = await service.client.call(lookForDevContainers, { body })
    expect(items.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('compose'),
      expect.stringContaining('outside of the repository'),
    ])
    const task = await startConversation(service, { ...body, dev_container: { path: PATH } })
    expect(task).toMatchObject({ status: 'ERROR', sandbox_id: null, detail: expect.stringContaining('compose') })
    const missing = { path: '.devcontainer/none/devcontainer.json' }
    expect(await startConversation(service, { ...body, dev_container: missing })).toMatchObject({ status: 'ERROR' })
  })
})
