import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/**
 * What a test file needs: nothing but Node (`unit`), a process of its own too, since it measures time or memory (`bounds`), an
 * engine, the bundle, a keyring or a whole service (`engine`), or a window and a display (`window`).
 * @typedef {'unit' | 'bounds' | 'engine' | 'window'} Kind
 */

/** @type {readonly Kind[]} */
export const KINDS = ['unit', 'bounds', 'engine', 'window']

/** A test that reaches one of these, through whatever it imports in test/, is of that kind. The first that matches counts. */
const SIGNS = /** @type {const} */ ([
  { kind: 'window', imports: /^playwright$/ },
  {
    kind: 'engine',
    imports:
      /^test\/parts\/(engine\/|secret\/service\.ts$)|^server\/composition\/(open-)?service\.ts$|^(dockerode|electron)$/,
  },
  { kind: 'engine', text: /DOCKER_HOST|out\/(server|cli|client|electron|resources)|'out'|node_modules\/\.bin/ },
])

/** What measures time or memory shares no process with what other tests have left in memory. */
const MEASURES = /performance\.now|memoryUsage|cpuUsage|processorTime|growth-of-time|setFlagsFromString|\bgc\(/

const IMPORT = /^(?:import|export)\s(?!type\s)[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

/**
 * @param {string} root the project's folder
 * @returns {{file: string, kind: Kind, isAlone: boolean}[]} every test file, from the root, with slashes; `isAlone` where it
 * needs a process of its own
 */
export function testFiles(root) {
  const found = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const files = found.map(file => `test/${file.replaceAll('\\', '/')}`).filter(isTest)
  const read = reader(root)
  return files.sort().map(file => {
    const kind = kindOf(file, read)
    return { file, kind, isAlone: measures(file, read) }
  })
}

/**
 * What needs a Kubernetes cluster, or packages and a system to install them in, is run by itself, by `build/test-kubernetes.mjs`
 * and `build/test-packages.mjs`.
 * @param {string} file
 */
function isTest(file) {
  return /\.test\.tsx?$/.test(file) && !/^test\/(kubernetes|package)\//.test(file)
}

/**
 * @param {string} file
 * @param {(file: string) => string | undefined} read the text of a file, or undefined where there is none
 * @returns {Kind}
 */
export function kindOf(file, read) {
  const { imports, texts } = reached(file, read)
  const sign = SIGNS.find(candidate =>
    'imports' in candidate
      ? imports.some(name => candidate.imports.test(name))
      : texts.some(text => candidate.text.test(text)),
  )
  return sign?.kind ?? (measures(file, read) ? 'bounds' : 'unit')
}

/**
 * @param {string} file
 * @param {(file: string) => string | undefined} read
 */
function measures(file, read) {
  return MEASURES.test(read(file) ?? '')
}

/**
 * @param {string} file
 * @param {(file: string) => string | undefined} read
 */
function reached(file, read) {
  const imports = new Set([file])
  const texts = []
  for (const name of imports) {
    const text = name.startsWith('test/') ? read(name) : undefined
    if (text === undefined) continue
    texts.push(text)
    for (const match of text.matchAll(IMPORT)) {
      const target = match[1] ?? match[2] ?? match[3] ?? ''
      imports.add(target.startsWith('.') ? posix.join(dirname(name), target) : target)
    }
  }
  return { imports: [...imports], texts }
}

/** @param {string} root */
function reader(root) {
  /** @type {Map<string, string | undefined>} */
  const texts = new Map()
  return (/** @type {string} */ file) => {
    if (!texts.has(file))
      texts.set(file, existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined)
    return texts.get(file)
  }
}
