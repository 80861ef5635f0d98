import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { table } from './bench/table.mjs'
import { bundleProgram } from './bundle/node.mjs'
import { capture } from './machine/command.mjs'
import { withDisplay } from './machine/display.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { runMain, SetupError, say, step } from './machine/progress.mjs'
import { ensurePackage } from './package.mjs'
import { machineEnv, setUp } from './setup.mjs'

const sources = join(projectFolder, 'test', 'bench')
const output = join(outFolder, 'bench')

/** `npm run bench`, or `node build/bench.mjs NAME…` for those whose file name contains a NAME. */
await runMain(async () => {
  const names = benchmarks(process.argv.slice(2))
  if (names.length === 0) throw new SetupError('No benchmark in test/bench matches.')
  const machine = await setUp({ electron: true, tests: true })
  const electron = machine.electron
  const app = electron && names.some(needsWindow) ? await ensurePackage(electron) : undefined
  const env = {
    ...machineEnv(machine),
    ...(electron && { ATELIER_ELECTRON_DIST: electron.folder }),
    ...(app && { ATELIER_TEST_APP: app }),
  }
  await bundle(names)
  const rows = []
  for (const name of names) rows.push(...(await step(name, () => runBenchmark(name, env), failure)))
  mkdirSync(join(projectFolder, 'artifacts'), { recursive: true })
  const report = JSON.stringify(
    { at: new Date().toISOString(), machine: describeMachine(electron?.version), rows },
    null,
    2,
  )
  writeFileSync(join(projectFolder, 'artifacts', 'bench.json'), `${report}\n`)
  process.stdout.write(`${table(rows)}\n`)
})

/**
 * Figures of different machines, or of a busy one, do not compare; their ratios do better.
 * @param {string | undefined} electron
 */
function describeMachine(electron) {
  const [processor] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const load = loadavg().map(value => Number(value.toFixed(2)))
  const system = `${type()} ${release()} ${arch()}`
  return {
    system,
    processor: processor?.model,
    cores: cpus().length,
    memoryGib: memory,
    node: process.version,
    electron,
    load,
  }
}

/** @param {import('./bench/table.mjs').Row[]} rows */
function failure(rows) {
  return rows.some(row => row.error) ? { failed: 'see above' } : ''
}

/** @param {readonly string[]} filters */
function benchmarks(filters) {
  if (!existsSync(sources)) return []
  return readdirSync(sources)
    .filter(file => file.endsWith('.ts') && /^export default /m.test(readFileSync(join(sources, file), 'utf8')))
    .map(file => file.slice(0, -'.ts'.length))
    .filter(name => filters.length === 0 || filters.some(filter => name.includes(filter)))
}

/** @param {string} name */
function needsWindow(name) {
  return /\.electron(\.|$)/.test(name)
}

/** @param {string[]} names */
async function bundle(names) {
  rmSync(output, { recursive: true, force: true })
  for (const name of names) await bundleProgram({ name, source: join(sources, `${name}.ts`), folder: output })
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('./bench/table.mjs').Row[]>}
 */
async function runBenchmark(name, env) {
  const file = join(output, `${name}.rows.json`)
  const args = ['--expose-gc', join(import.meta.dirname, 'bench', 'run.mjs'), join(output, `${name}.js`), file]
  const work = (/** @type {NodeJS.ProcessEnv} */ environment) =>
    capture(process.execPath, args, { cwd: projectFolder, env: environment, timeout: 10 * 60_000 })
  const { code, output: text } = await (needsWindow(name) ? withDisplay(env, work) : work(env))
  if (code === 0) return JSON.parse(readFileSync(file, 'utf8'))
  say(text)
  return [{ what: name, error: `exit code ${code}` }]
}
