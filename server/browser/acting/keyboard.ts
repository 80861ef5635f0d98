import { BrowserProblem, CommandRefused } from '../problem.ts'
import type { KnownElement, Tab } from '../tab.ts'
import { click, scrollIntoView } from './pointer.ts'

/** Longer texts are put in at once: nobody waits for each of their letters. */
const MAX_KEYS = 300

/** Fields that are not written into letter by letter. */
const SET_AT_ONCE = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range'])
const NON_TEXT_INPUTS = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'image'])

/**
 * Replaces what a field holds. A line end is the Enter key. In a list the text names the option; a file field takes the
 * path of a file in the sandbox.
 * @throws BrowserProblem when the element takes no text
 */
export async function type(tab: Tab, element: KnownElement, text: string, signal: AbortSignal): Promise<void> {
  const { tag, type: kind, backendNodeId } = element
  await scrollIntoView(tab, backendNodeId, signal)
  if (tag === 'select') return choose(tab, backendNodeId, text, signal)
  if (tag === 'input' && kind === 'file') return setInputFile(tab, backendNodeId, text, signal)
  if (tag === 'input' && SET_AT_ONCE.has(kind)) return setValue(tab, backendNodeId, text, signal)
  if (tag === 'input' && NON_TEXT_INPUTS.has(kind)) throw new BrowserProblem(`An input of type ${kind} is clicked.`)
  await focus(tab, element, signal)
  if ((await tab.call(backendNodeId, SELECT_ALL, [], signal)) !== true) throw new BrowserProblem(NO_TEXT)
  await typeText(tab, text, signal)
}

const NO_TEXT = 'No text can be typed into this element: it is disabled, read-only or no field.'

/** A click is what a person does; where one cannot, the field still takes the focus. */
async function focus(tab: Tab, element: KnownElement, signal: AbortSignal): Promise<void> {
  const { backendNodeId } = element
  try {
    await tab.send('DOM.focus', { backendNodeId }, { signal })
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error
    await click(tab, element, signal)
  }
}

const SELECT_ALL = `function () {
  const active = this.getRootNode().activeElement
  const field = active && (active === this || this.contains(active)) ? active : this
  if (field.disabled || field.readOnly) return false
  if (typeof field.select === 'function') { field.select(); return true }
  if (!field.isContentEditable) return false
  getSelection().selectAllChildren(field)
  return true
}`

async function typeText(tab: Tab, text: string, signal: AbortSignal): Promise<void> {
  await key(tab, { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 }, signal)
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  for (const [index, line] of lines.entries()) {
    if (index > 0) await key(tab, ENTER, signal)
    if (line.length > MAX_KEYS) await tab.send('Input.insertText', { text: line }, { signal })
    else for (const letter of line) await key(tab, letter === '\t' ? TAB : { key: letter, text: letter }, signal)
  }
}

interface Key {
  key: string
  text?: string
  code?: string
  windowsVirtualKeyCode?: number
}

const ENTER: Key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' }
const TAB: Key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }

async function key(tab: Tab, pressed: Key, signal: AbortSignal): Promise<void> {
  const { text: _, ...released } = pressed
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', ...pressed }, { signal })
  await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...released }, { signal })
}

const SELECT_OPTION = `function (wanted) {
  const options = [...this.options]
  const plain = text => text.replace(/\\s+/g, ' ').trim()
  const found = options.find(option => option.value === wanted || plain(option.label) === plain(wanted))
    ?? options.find(option => plain(option.label).toLowerCase() === plain(wanted).toLowerCase())
  if (this.disabled || !found || found.disabled) return options.map(option => plain(option.label)).join(' | ')
  if (!this.multiple) this.value = found.value
  found.selected = true
  this.dispatchEvent(new Event('input', { bubbles: true }))
  this.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}`

async function choose(tab: Tab, backendNodeId: number, option: string, signal: AbortSignal): Promise<void> {
  const chosen = await tab.call(backendNodeId, SELECT_OPTION, [option], signal)
  if (chosen === true) return
  throw new BrowserProblem(`The list has no option ${JSON.stringify(option)} to choose. It has: ${chosen}`)
}

const SET_VALUE = `function (value) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(this, value)
  this.dispatchEvent(new Event('input', { bubbles: true }))
  this.dispatchEvent(new Event('change', { bubbles: true }))
  return this.value
}`

async function setValue(tab: Tab, backendNodeId: number, value: string, signal: AbortSignal): Promise<void> {
  const held = await tab.call(backendNodeId, SET_VALUE, [value], signal)
  if (held === value) return
  throw new BrowserProblem(`The field did not take ${JSON.stringify(value)}; it holds ${JSON.stringify(held)} now.`)
}

async function setInputFile(tab: Tab, backendNodeId: number, path: string, signal: AbortSignal): Promise<void> {
  const files = path.split('\n').filter(line => line.trim() !== '')
  try {
    await tab.send('DOM.setFileInputFiles', { files, backendNodeId }, { signal })
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error
    throw new BrowserProblem(`The field did not take the file. Give absolute paths in the sandbox, one a line.`)
  }
}
