import { expect, it } from 'vitest'
import { readEnvFile } from '../../server/compose/env-file.ts'
import { mergeServices, planServices, readComposeFile } from '../../server/compose/plan.ts'
import { ComposeProblem } from '../../server/compose/problem.ts'

type Files = Record<string, string>

function plan(
  text: string,
  {
    env = '',
    envFiles = {},
    dockerfiles = {},
    override,
  }: { env?: string; envFiles?: Files; dockerfiles?: Files; override?: string } = {},
) {
  const read = (each: string) => readComposeFile(each, readEnvFile(env)).services
  const services = override ? mergeServices(read(text), read(override)) : read(text)
  return planServices(services, {
    folder: '',
    envFiles: new Map(Object.entries(envFiles)),
    dockerfiles: new Map(Object.entries(dockerfiles)),
  })
}

const reasons = (text: string) => Object.fromEntries(plan(text).leftOut.map(({ name, reason }) => [name, reason]))

it('the file of a usual web project gives its database and cache, and leaves the project itself out', () => {
  const found = plan(
    `
version: "3.9"
x-health: &health
  interval: 5s
  timeout: 3s
  retries: 5
services:
  web:
    build: .
    ports: ["8000:8000"]
    depends_on: [db]
  db:
    image: postgres:\${POSTGRES_VERSION:-16}
    environment:
      POSTGRES_USER: app
      POSTGRES_PASSWORD: \${DB_PASSWORD}
    env_file: config/db.env
    ports: ["127.0.0.1:15432:5432"]
    volumes:
      - db-data:/var/lib/postgresql/data
      - ./init.sql:/docker-entrypoint-initdb.d/init.sql:ro
    healthcheck:
      <<: *health
      test: pg_isready -U app
    shm_size: 256mb
    stop_grace_period: 1m
  cache:
    image: redis
    command: redis-server --save "" --appendonly no
    depends_on:
      db: { condition: service_healthy }
volumes:
  db-data:
`,
    {
      env: 'DB_PASSWORD="not a secret" # local',
      envFiles: { 'config/db.env': 'POSTGRES_DB=shop\nPOSTGRES_USER=other\n' },
    },
  )
  expect(found.leftOut).toEqual([{ name: 'web', reason: expect.stringContaining('the project itself') }])
  expect(found.services).toEqual([
    {
      name: 'db',
      aliases: [],
      image: 'postgres:16',
      build: null,
      command: [],
      entrypoint: null,
      env: { POSTGRES_DB: 'shop', POSTGRES_USER: 'app', POSTGRES_PASSWORD: 'not a secret' },
      ports: [5432],
      volumes: [{ name: 'db-data', containerPath: '/var/lib/postgresql/data', readOnly: false }],
      binds: [{ path: 'init.sql', containerPath: '/docker-entrypoint-initdb.d/init.sql' }],
      tmpfs: [],
      workingDir: null,
      user: null,
      health: { test: ['CMD-SHELL', 'pg_isready -U app'], interval: 5000, timeout: 3000, startPeriod: 0, retries: 5 },
      dependsOn: [],
      memoryBytes: null,
      cpus: null,
      shmBytes: 256 * 2 ** 20,
      stopGraceSeconds: 60,
      restart: null,
    },
    expect.objectContaining({
      name: 'cache',
      image: 'redis:latest',
      command: ['redis-server', '--save', '', '--appendonly', 'no'],
      dependsOn: [{ name: 'db', condition: 'service_healthy' }],
    }),
  ])
})

it('the variables of this machine are not those of the file', () => {
  process.env.ATELIER_TEST_SECRET = 'of this machine'
  const { services } = plan(
    'services: {db: {image: redis, environment: [ATELIER_TEST_SECRET, "A=${ATELIER_TEST_SECRET}"]}}',
  )
  expect(services[0]?.env).toEqual({ A: '' })
  delete process.env.ATELIER_TEST_SECRET
})

it('an override adds to lists and takes the place of values', () => {
  const base = 'services: {db: {image: "postgres:15", ports: ["5432"], environment: {A: 1, B: 2}}}'
  const override = 'services: {db: {image: "postgres:16", expose: [5433], environment: [B=3]}}'
  expect(plan(base, { override }).services).toMatchObject([
    { image: 'postgres:16', ports: [5432, 5433], env: { A: '1', B: '3' } },
  ])
})

it.each([
  ['privileged', 'privileged: true', '`privileged`'],
  ['the network of the machine', 'network_mode: host', '`network_mode`'],
  ['the processes of the machine', 'pid: host', '`pid`'],
  ['capabilities', 'cap_add: [SYS_ADMIN]', '`cap_add`'],
  ['devices', 'devices: ["/dev/kvm"]', '`devices`'],
  ['no seccomp', 'security_opt: ["seccomp:unconfined"]', '`security_opt`'],
  ['the socket of the engine', 'volumes: ["/var/run/docker.sock:/var/run/docker.sock"]', '/var/run/docker.sock'],
  ['a home folder', 'volumes: ["~/.ssh:/root/.ssh"]', '~/.ssh'],
  ['a folder beside the repository', 'volumes: ["../../etc:/mnt"]', 'outside of the repository'],
  ['a folder of the machine in long form', 'volumes: [{type: bind, source: /etc, target: /mnt}]', '/etc'],
  ['the volumes of others', 'volumes_from: [web]', '`volumes_from`'],
  ['the whole repository', 'volumes: [".:/app"]', 'the project itself'],
  ['an image with a path in its name', 'image: "../../containers/json"', 'no usable name'],
  ['an image of a sandbox', 'image: "atelier-saved:spec-1"', 'a sandbox of yours'],
  ['what it extends', 'extends: {file: other.yaml, service: web}', '`extends`'],
])('a service that asks for %s is left out in words, and the others are started', (_what, field, words) => {
  const image = field.startsWith('image') ? '' : 'image: redis, '
  const { services, leftOut } = plan(`services: {bad: {${image}${field}}, good: {image: "redis:7"}}`)
  expect(services.map(({ name }) => name)).toEqual(['good'])
  expect(leftOut).toEqual([{ name: 'bad', reason: expect.stringContaining(words) }])
})

it.each([
  ['no', null],
  ['"no"', null],
  ['always', { on: 'end', attempts: 0 }],
  ['unless-stopped', { on: 'end', attempts: 0 }],
  ['on-failure', { on: 'failure', attempts: 0 }],
  ['on-failure:5', { on: 'failure', attempts: 5 }],
])('restart: %s is followed', (restart, wanted) => {
  expect(plan(`services: {db: {image: redis, restart: ${restart}}}`).services[0]?.restart).toEqual(wanted)
})

it('the policy of a deployment is followed where the service names none, and one that is none is refused in words', () => {
  const deploy = 'deploy: {restart_policy: {condition: on-failure, max_attempts: 2}}'
  expect(plan(`services: {db: {image: redis, ${deploy}}}`).services[0]?.restart).toEqual({ on: 'failure', attempts: 2 })
  expect(plan(`services: {db: {image: redis, restart: "no", ${deploy}}}`).services[0]?.restart).toBe(null)
  expect(reasons('services: {db: {image: redis, restart: sometimes}}')).toEqual({
    db: expect.stringContaining('`restart`'),
  })
})

it('services on one port, of a profile, with a name for the sandbox itself, or in a circle are left out in words', () => {
  expect(
    reasons(`services:
  one: {image: redis, ports: ["6379:6379"]}
  two: {image: redis, ports: ["6380:6379"]}
  debug: {image: adminer, profiles: [debug]}
  localhost: {image: redis}
  a: {image: redis, depends_on: [b]}
  b: {image: redis, depends_on: [a]}`),
  ).toEqual({
    two: expect.stringContaining('one listens on port 6379 already'),
    debug: expect.stringContaining('profile debug'),
    localhost: expect.stringContaining('name of a host'),
    a: expect.stringContaining('depends on itself'),
    b: expect.stringContaining('depends on itself'),
  })
})

const aliases = (level: (before: string) => string) =>
  `x-0: &a0 {k: v}\n${Array.from({ length: 12 }, (_, at) => `x-${at + 1}: &a${at + 1} ${level(`*a${at}`)}`).join('\n')}\n`

it.each([
  [
    'a volume that is a folder of the machine',
    'volumes: {v: {driver_opts: {type: none, o: bind, device: /}}}\nservices: {}',
  ],
  ['a variable that has to be there', 'services: {db: {image: "redis:${TAG:?which one}"}}'],
  ['aliases that grow', aliases(before => `[${Array(9).fill(before).join(', ')}]`)],
  ['merge keys that grow', aliases(before => `{<<: [${Array(9).fill(`{b: ${before}, <<: ${before}}`).join(', ')}]}`)],
  ['a deep nesting', `services: ${'['.repeat(20_000)}`],
  ['values of many variables', `services: {db: {image: "${'${A}'.repeat(20_000)}"}}`],
  ['no fields', '- one\n- two'],
  ['no YAML', 'services: {db: [}'],
])('a file with %s is refused at once', (_what, text) => {
  const before = performance.now()
  expect(() => plan(text, { env: `A=${'x'.repeat(50_000)}` })).toThrow(ComposeProblem)
  expect(performance.now() - before).toBeLessThan(2000)
})

it('names that objects have by themselves are names like any other', () => {
  const { services } = plan('services: {constructor: {image: redis, environment: {toString: y, valueOf: z}}}')
  expect(services.map(({ name, env }) => [name, Object.keys(env).sort()])).toEqual([
    ['constructor', ['toString', 'valueOf']],
  ])
})
