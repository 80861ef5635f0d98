import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { HIDDEN, SecretText } from '../../../ui/SecretText.tsx'
import { openLink } from '../open-link.ts'

/**
 * Prose of the model: sanitised, links open outside of the window. Pictures never load: an address that the model wrote
 * would carry what it has read to whoever it names.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={PLUGINS} rehypePlugins={[rehypeSanitize]} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  )
})

const PLUGINS = [remarkGfm, keepHiddenSecrets]

const COMPONENTS: Components = {
  a: ({ href, children }) => {
    if (!href || !/^https?:\/\//i.test(href)) return <span>{children}</span>
    return (
      <a
        href={href}
        title={href}
        rel="noreferrer"
        onClick={event => {
          event.preventDefault()
          openLink(href)
        }}
      >
        {children}
      </a>
    )
  },
  code: ({ className, children }) => (
    <code className={className}>{typeof children === 'string' ? <SecretText text={children} /> : children}</code>
  ),
  img: ({ alt, src }) => (
    <span className="text-soft" title={typeof src === 'string' ? src : undefined}>
      [picture not loaded{alt ? `: ${alt}` : ''}]
    </span>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? 'done' : 'open'} className="mr-1 text-soft">
      {checked ? '☑' : '☐'}
    </span>
  ),
  pre: ({ children, node }) => (
    <div className="group/code relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{children}</pre>
      <span className="absolute top-1 right-1 opacity-0 focus-within:opacity-100 group-hover/code:opacity-100">
        <CopyButton text={node ? textOf(node) : ''} label="Copy code" />
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
