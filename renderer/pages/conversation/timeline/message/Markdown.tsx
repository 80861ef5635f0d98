import QuickLRU from 'quick-lru'
import { memo, type ReactNode, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { HIDDEN } from '../../../../../server/api/contract/hidden-values.ts'
import { GrowingText } from '../../../../state/growing-text.ts'
import { markdownCost } from '../../../../state/markdown-cost.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { CodeLines } from '../../../../ui/code/CodeLines.tsx'
import { languageNamed } from '../../../../ui/code/languages.ts'
import { SecretText } from '../../../../ui/field/SecretText.tsx'
import { t } from '../text.ts'
import { AgentLink } from './AgentLink.tsx'
import { PlainText } from './PlainText.tsx'

interface MarkdownProps {
  text: string
  /** More of it comes: what is done is not formatted again. */
  isGrowing?: boolean
}

/**
 * Prose of the model: sanitised, links open outside of the window. Pictures never load: an address that the model wrote
 * would carry what it has read to whoever it names. What would hold up the window is shown as it was written.
 */
export const Markdown = memo(function Markdown({ text, isGrowing = false }: MarkdownProps) {
  const cost = useMemo(() => markdownCost(text), [text])
  const [isWanted, setWanted] = useState(false)
  if (cost === 'low' || (cost === 'long' && isWanted)) return <Formatted text={text} isGrowing={isGrowing} />
  return (
    <PlainText text={text}>
      <p className="flex flex-wrap items-center gap-2 text-soft text-sm">
        {cost === 'long' ? t('thisTextIsLong') : t('textTooSlowToFormat')}
        {cost === 'long' && (
          <Button size="small" onClick={() => setWanted(true)}>
            {t('showFormatted')}
          </Button>
        )}
      </p>
    </PlainText>
  )
})

function Formatted({ text, isGrowing }: Required<MarkdownProps>) {
  const [growing] = useState(() => new GrowingText())
  const blocks = useMemo(() => (isGrowing || canBeCut(text) ? growing.cut(text) : [text]), [growing, text, isGrowing])
  return (
    <div dir="auto" className={isGrowing ? 'prose growing' : 'prose'}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end
        <Block key={index} text={block} isGrowing={isGrowing && index === blocks.length - 1} />
      ))}
    </div>
  )
}

/**
 * Whether its blocks, each formatted by itself, look as all of it does. A link or a footnote may be made of two: of the one that
 * uses it and the one that defines it, wherever that stands (CommonMark 0.31, 4.7; GFM).
 */
function canBeCut(text: string): boolean {
  return text.includes('\n') && !DEFINITION.test(text)
}

/** The beginning of a definition, also in a list or a quote; its label has at most 999 characters. */
const DEFINITION = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)*\[[^\]]{1,999}\]:/m

const Block = memo(function Block({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  return isGrowing ? formatted(text) : recentlyFormatted(text)
})

/** Blocks by their text, so that neither an answer that has come nor a row that is scrolled back to is formatted again. */
const formattedBlocks = new QuickLRU<string, ReactNode>({ maxSize: 500 })
/** Longer ones are few. */
const MAX_KEPT_LENGTH = 2_000

function recentlyFormatted(text: string): ReactNode {
  if (text.length > MAX_KEPT_LENGTH) return formatted(text)
  const before = formattedBlocks.get(text)
  if (before !== undefined) return before
  // What is cut out of a text keeps all of it in memory.
  const own: string = structuredClone(text)
  const elements = formatted(own)
  formattedBlocks.set(own, elements)
  return elements
}

function formatted(text: string): ReactNode {
  return ReactMarkdown({
    children: text,
    remarkPlugins: [addGfm, keepHiddenSecrets],
    rehypePlugins: [rehypeSanitize],
    components: COMPONENTS,
  })
}

/** What GFM adds to the parser. Making it anew costs as much as a short block. */
const gfm = gfmParts()

function gfmParts(): object {
  const parts = {}
  const processor: ProcessorParts = { data: () => parts }
  remarkGfm.call(processor as ThisParameterType<typeof remarkGfm>)
  return parts
}

interface ProcessorParts {
  data: () => object
}

function addGfm(this: ProcessorParts): void {
  Object.assign(this.data(), gfm)
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <AgentLink href={href}>{children}</AgentLink>,
  code: ({ className, children }) => (
    <code className={className}>{typeof children === 'string' ? code(children, className) : children}</code>
  ),
  img: ({ alt, src }) => (
    <span className="text-soft" title={typeof src === 'string' ? src : undefined}>
      {alt ? t('pictureNotLoadedNamed', { name: alt }) : t('pictureNotLoaded')}
    </span>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? t('done') : t('openTask')} className="me-1 text-soft">
      {checked ? '☑' : '☐'}
    </span>
  ),
  pre: ({ children, node }) => (
    <div className="group/code relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{children}</pre>
      <span className="absolute top-1 end-1 opacity-0 focus-within:opacity-100 group-hover/code:opacity-100">
        <CopyButton text={node ? textOf(node) : ''} label={t('copyCode')} />
      </span>
    </div>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="overflow-x-auto">
      <table>{children}</table>
    </div>
  ),
}

/** The class is how a block names its language. */
function code(text: string, className = '') {
  const language = languageNamed(/^language-(\S+)/.exec(className)?.[1] ?? '')
  return language ? <CodeLines text={text} language={language} /> : <SecretText text={text} />
}

interface Node {
  type: string
  value?: string
  children?: readonly Node[]
}

/** The mark of a hidden secret looks like HTML, which is left out of prose; as code it is kept, and shown as a mark. */
function keepHiddenSecrets() {
  return mark
}

function mark(node: Node): void {
  if (node.type === 'html' && node.value === HIDDEN) node.type = 'inlineCode'
  for (const child of node.children ?? []) mark(child)
}

function textOf(node: Node): string {
  return node.value ?? (node.children ?? []).map(textOf).join('')
}
