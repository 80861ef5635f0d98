import { z } from 'zod'
import { FILE_EDITOR_COMMANDS, fileEditorAction } from '../api/event/actions.ts'
import { FileEditor, type FileEditorAction } from './file-editor/editor.ts'
import { EditHistory } from './file-editor/history.ts'
import type { Tool, ToolHost } from './tool.ts'

const DESCRIPTION = `View, create and edit text files of the sandbox. What it wrote stays until it is changed again.

* view: a file with line numbers, as \`cat -n\` shows it (view_range for a part of it); a folder with what is in it, two levels deep, without hidden names; an image (PNG, JPEG, GIF, WebP) as a picture. What is too long ends with a note.
* create: a new file with file_text, and the folders above it. It refuses a path that exists.
* str_replace: replaces old_str, which must stand in the file exactly once, by new_str. Copy old_str from the file, with its indentation and without the line numbers of view; add lines before or after until it is unique. Without new_str, the text is removed.
* insert: new_str as new lines after the line insert_line; 0 puts them at the top.
* undo_edit: takes the last edit of this file back; up to ten, one after the other.

Encoding, line ends and permissions of a file are kept. Look at the file before you edit it. Paths are absolute. Files over 10 MB and binary files are refused: use the terminal for those.`

const parameters = z.object({
  command: z.enum(FILE_EDITOR_COMMANDS).describe('What to do.'),
  path: z.string().describe('Absolute path of the file or folder, such as /workspace/project/README.md.'),
  file_text: z.string().optional().describe('For create: the whole content.'),
  old_str: z
    .string()
    .optional()
    .describe('For str_replace: the text to be replaced, exactly as it stands in the file.'),
  new_str: z.string().optional().describe('For str_replace: what stands there afterwards. For insert: the new lines.'),
  insert_line: z.int().min(0).optional().describe('For insert: the line after which the new lines come.'),
  view_range: z
    .array(z.int())
    .length(2)
    .optional()
    .describe('For view of a file: first and last line, from 1; -1 as the last means the end of the file.'),
})

/** @param history what can be taken back; other tools that edit add to it */
export function createFileEditor(host: ToolHost, history = new EditHistory()): Tool<FileEditorAction> {
  const editor = new FileEditor(host, history)
  return {
    name: 'file_editor',
    description: DESCRIPTION,
    parameters,
    readOnly: false,
    toAction: given => fileEditorAction.parse({ kind: 'FileEditorAction', ...parameters.parse(given) }),
    run: (action, context) => editor.run(action, context.signal),
    close: async () => {},
  }
}
