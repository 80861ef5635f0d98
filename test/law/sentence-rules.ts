import { dirname, join } from 'node:path'
import ts from 'typescript'

/** Attributes that a person reads or hears. */
const READ_ALOUD = new Set(['aria-label', 'aria-description', 'title', 'alt'])
/** Attributes of elements and of our components whose words a person reads, beside names and examples that are code. */
const SHOWN = new Set([
  'placeholder',
  'label',
  'hint',
  'what',
  'meaning',
  'detail',
  'description',
  'about',
  'note',
  'empty',
  'heading',
  'confirm',
  'cancel',
  'submit',
  'done',
])

const LETTERS = /\p{L}{2}/u
/** Two words, or one that begins like a sentence or a title. */
const WORDS = /^\p{Lu}\p{Ll}+|\p{L}{2}[,.:;]? \p{L}/u
/** A sentence as it stands in any string: it begins with a capital letter and goes on with a small one. */
const SENTENCE = /^\p{Lu}[\p{L}’]* (\S+ )*\p{Ll}|^\p{Lu}\p{L}+…$/u

/** Names of products, the same in every language. */
const NAMES = new Set(['Atelier', 'Anthropic', 'Google', 'OpenAI', 'GitHub', 'GitLab', 'Bitbucket'])

/** Text in a source file that a person would read and that no catalogue holds, each as `line: text`. */
export function strayTexts(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const report = (node: ts.Node, words: string) =>
    found.push(
      `${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}: ${words.replace(/\s+/g, ' ').trim()}`,
    )
  const visit = (node: ts.Node, attribute: string | null): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isNewExpression(node) && isForDevelopers(node)) return
    if (ts.isJsxText(node)) {
      if (LETTERS.test(node.text)) report(node, node.text)
      return
    }
    const name = ts.isJsxAttribute(node) ? node.name.getText(file) : attribute
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const words = ts.isTemplateExpression(node) ? constantPart(node) : node.text
      if (!isCompared(node) && reads(words, name)) report(node, words)
    }
    // What a function in an attribute does with a string is no text of that attribute.
    const inside = ts.isFunctionLike(node) || ts.isCallExpression(node) ? null : name
    ts.forEachChild(node, child => visit(child, inside))
  }
  visit(file, null)
  return found
}

function reads(words: string, attribute: string | null): boolean {
  if (NAMES.has(words)) return false
  if (attribute !== null && READ_ALOUD.has(attribute)) return LETTERS.test(words)
  if (attribute !== null && SHOWN.has(attribute)) return WORDS.test(words)
  return SENTENCE.test(words)
}

/** `Error` itself tells a developer of a mistake in the code; a person sees the messages of other errors. */
function isForDevelopers({ expression, parent }: ts.NewExpression): boolean {
  return ts.isIdentifier(expression) && expression.text === 'Error' && ts.isThrowStatement(parent)
}

/** What is compared or looked up is an identifier: of a key, a kind, a property. */
function isCompared({ parent }: ts.Node): boolean {
  if (ts.isElementAccessExpression(parent)) return true
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken
}

function constantPart({ head, templateSpans }: ts.TemplateExpression): string {
  return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join('…')
}

/** The strings of a source file that imports `t`, any of which may be a key of its catalogue; and the `text.ts` it comes from. */
export function possibleKeys(path: string, text: string): { translator: string; keys: ReadonlySet<string> } | null {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const source = file.statements.find(isImportOfText)
  if (!source || !ts.isStringLiteral(source.moduleSpecifier)) return null
  const keys = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isStringLiteralLike(node)) keys.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { translator: join(dirname(path), source.moduleSpecifier.text).replaceAll('\\', '/'), keys }
}

function isImportOfText(statement: ts.Statement): statement is ts.ImportDeclaration {
  return (
    ts.isImportDeclaration(statement) &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    statement.moduleSpecifier.text.endsWith('/text.ts')
  )
}

/** The name in `translator('name')` or `createTranslator({ messages: name })`, as a `text.ts` says it. */
export function catalogueOf(text: string): string | undefined {
  return /\btranslator\('(\w+)'\)|\bmessages: (\w+)/.exec(text)?.slice(1).find(Boolean)
}
