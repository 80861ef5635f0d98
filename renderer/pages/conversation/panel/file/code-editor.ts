import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { lineEndOf } from '../../../../state/files/kind.ts'
import type { Lines } from '../../../../ui/code/colouring.ts'
import { KINDS } from '../../../../ui/code/kinds.ts'
import { EDITOR_WORDS } from './editor-words.ts'

export interface CodeEditor {
  /** As it came in, but for what was changed: its line ends are those that it had. */
  text(): string
  /** A text that came from elsewhere; the cursor and the scroll stay where they are. */
  replace(text: string): void
  colour(lines: Lines): void
  focus(): void
  destroy(): void
}

interface Options {
  text: string
  label: string
  isReadOnly: boolean
  onChange: () => void
  onSave: () => void
}

const setColours = StateEffect.define<Lines>()

/** Colours come from a worker, a moment after the text: until then those of before move along with it. */
const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (known, transaction) => {
    for (const effect of transaction.effects) {
      if (effect.is(setColours)) return decorationsOf(transaction.newDoc, effect.value)
    }
    return known.map(transaction.changes)
  },
  provide: field => EditorView.decorations.from(field),
})

const MARKS = KINDS.map(kind => Decoration.mark({ attributes: { style: `color: var(--color-code-${kind})` } }))

function decorationsOf(text: Text, lines: Lines): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (let number = 1; number <= Math.min(text.lines, lines.length); number++) {
    const { from, length } = text.line(number)
    let start = 0
    for (const [tokenEnd, kind] of lines[number - 1] ?? []) {
      const end = Math.min(tokenEnd, length)
      const mark = MARKS[kind - 1]
      if (mark && end > start) builder.add(from + start, from + end, mark)
      start = Math.max(start, end)
    }
  }
  return builder.finish()
}

const LOOK = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: 'var(--text-sm)',
    color: 'var(--color-ink)',
    backgroundColor: 'var(--color-surface)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--color-ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-faint)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-sunken)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--color-selected)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-searchMatch': { backgroundColor: 'var(--color-wait-wash)', outline: '1px solid var(--color-wait)' },
  '.cm-panels': { backgroundColor: 'var(--color-sunken)', color: 'var(--color-ink)' },
})

export function createCodeEditor(parent: HTMLElement, options: Options): CodeEditor {
  const view = new EditorView({ parent, state: stateOf(options) })
  return {
    text: () => view.state.sliceDoc(),
    replace: text => {
      if (lineEndOf(text) !== view.state.lineBreak) return view.setState(stateOf({ ...options, text }))
      view.dispatch({ changes: changeBetween(view.state, text) })
    },
    colour: lines => view.dispatch({ effects: setColours.of(lines) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

function stateOf({ text, label, isReadOnly, onChange, onSave }: Options): EditorState {
  const save = () => {
    onSave()
    return true
  }
  const extensions: Extension[] = [
    EditorState.lineSeparator.of(lineEndOf(text)),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2068]/g }),
    drawSelection(),
    highlightSelectionMatches(),
    history(),
    search({ top: true }),
    keymap.of([{ key: 'Mod-s', run: save }, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    EditorState.phrases.of(EDITOR_WORDS),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
    colours,
    LOOK,
  ]
  return EditorState.create({ doc: text, extensions })
}

/** Of two texts what lies between their common beginning and their common end. */
function changeBetween(state: EditorState, text: string) {
  const next = state.toText(text)
  const [a, b] = [state.doc.toString(), next.toString()]
  let from = 0
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return { from, to: a.length - end, insert: next.slice(from, b.length - end) }
}
