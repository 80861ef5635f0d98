import ts from 'typescript'

/** What every source file keeps to: its name says what is in it, and a person can read it in one sitting. */
export interface SourceFile {
  /** From the project's root, with slashes. */
  path: string
  text: string
}

const ATTIC = /^(utils?|helpers?|common|misc|shared|stuff|lib)(\.|$)/i
const BARREL = /^index\.[cm]?[jt]sx?$/
const PASCAL = /^[A-Z][A-Za-z0-9]*(\.[a-z]+)?\.tsx$/
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.[a-z]+$/
const MAX_LINES = 300
/** A fixture of a name that vitest gives each test, or that no function may have. */
const HIDING_FIXTURE =
  /\.extend\(\s*'(task|expect|skip|annotate|signal|onTestFailed|onTestFinished|caller|callee|arguments)'/

/** Most files wait for something else: to parse all of them would take seconds. */
const MAY_WAIT = /\bvi\s*\.\s*wait(For|Until)\b/

/** Files that are longer for a reason. */
const LONG_FOR_A_REASON: Record<string, string> = {
  'server/store/database/migrations.ts': 'a list that is never edited, and only grows',
  'test/tools/apply-patch-cases.ts': 'one table of cases',
  'test/tools/terminal/cases.ts': 'one table of cases, run in every shell',
}

export const FILE_LAWS: Record<string, (file: SourceFile) => boolean> = {
  'no attics: a name says what is inside': ({ path }) => !path.split('/').some(part => ATTIC.test(part)),
  'no barrels: an import names the file that it means': ({ path }) => !BARREL.test(nameOf(path)),
  'names are kebab-case, components PascalCase': ({ path }) => {
    const name = nameOf(path)
    return KEBAB.test(name) || PASCAL.test(name)
  },
  [`no file over ${MAX_LINES} lines without a reason`]: ({ path, text }) =>
    path in LONG_FOR_A_REASON || text.trimEnd().split('\n').length <= MAX_LINES,
  'no fixture hides what vitest gives each test': ({ text }) => !HIDING_FIXTURE.test(text),
  // Without one, vitest gives up after a second, which a busy machine needs for anything; `expect.poll` has the project's.
  'each wait of vitest has a time limit': file => !MAY_WAIT.test(file.text) || waitsOf(file).every(hasLimit),
  'no default exports': ({ path, text }) =>
    path.startsWith('build/') || path.startsWith('test/bench/') || !/^export default /m.test(text),
}

function waitsOf({ path, text }: SourceFile): ts.CallExpression[] {
  const found: ts.CallExpression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isWait(node.expression)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return found
}

function isWait(called: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(called) || called.expression.getText() !== 'vi') return false
  return called.name.text === 'waitFor' || called.name.text === 'waitUntil'
}

function hasLimit({ arguments: [, options] }: ts.CallExpression): boolean {
  if (!options || !ts.isObjectLiteralExpression(options)) return isGiven(options)
  return options.properties.some(
    each =>
      ts.isSpreadAssignment(each) ||
      (each.name.getText() === 'timeout' && (!ts.isPropertyAssignment(each) || isGiven(each.initializer))),
  )
}

function isGiven(value: ts.Expression | undefined): boolean {
  return value !== undefined && value.getText() !== 'undefined'
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
