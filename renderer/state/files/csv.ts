/** Rows and columns of a table beyond these are left out. */
const MAX_ROWS = 50_000
const MAX_COLUMNS = 200

export interface Table {
  readonly rows: readonly (readonly string[])[]
  readonly columns: number
  readonly complete: boolean
}

/** By RFC 4180: fields in quotes hold separators, line ends and doubled quotes. In one pass, whatever the text is. */
export function parseTable(text: string, separator: ',' | '\t' | ';'): Table {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let isQuoted = false
  let complete = true
  const endField = () => {
    if (row.length < MAX_COLUMNS) row.push(field)
    else complete = false
    field = ''
  }
  const endRow = () => {
    endField()
    rows.push(row)
    row = []
  }
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') {
        field += '"'
        at++
      } else isQuoted = false
    } else if (character === '"' && field === '') isQuoted = true
    else if (character === separator) endField()
    else if (character === '\n') endRow()
    else if (character !== '\r' || text[at + 1] !== '\n') field += character
    if (rows.length >= MAX_ROWS) return tableOf(rows, false)
  }
  if (field !== '' || row.length > 0) endRow()
  return tableOf(rows, complete)
}

function tableOf(rows: readonly string[][], complete: boolean): Table {
  return { rows, columns: rows.reduce((most, { length }) => Math.max(most, length), 0), complete }
}

/** By its name; of files that are called CSV some have semicolons. */
export function separatorOf(path: string, text: string): ',' | '\t' | ';' | null {
  if (/\.tsv$/i.test(path)) return '\t'
  if (!/\.csv$/i.test(path)) return null
  const [first = ''] = text.split('\n', 1)
  return first.split(';').length > first.split(',').length ? ';' : ','
}
