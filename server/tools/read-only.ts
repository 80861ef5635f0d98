import { z } from 'zod'
import { summaryField } from './call/fields.ts'
import type { Tool } from './tool.ts'

const EDITORS: ReadonlySet<string> = new Set(['file_editor', 'planning_file_editor'])

/**
 * Of the tools of a conversation, those that change nothing; the editor only views. What a tool server says of its own tools
 * does not count: they are left out. They stay the conversation's, which closes them.
 */
export function readOnlyTools(tools: readonly Tool[]): Tool[] {
  return tools.flatMap(tool => {
    if (EDITORS.has(tool.name)) return [viewer(tool)]
    return tool.readOnly && !tool.inputSchema ? [{ ...tool, close: async () => {} }] : []
  })
}

function viewer(editor: Tool): Tool {
  const { path, view_range } = editor.parameters.shape
  return {
    ...editor,
    name: 'file_editor',
    description:
      'View a file of the sandbox with line numbers (view_range for a part of it), a folder two levels deep, or an image. Nothing can be changed.',
    parameters: z.object({ summary: summaryField, path, view_range }),
    readOnly: true,
    toAction: given => editor.toAction({ ...given, command: 'view' }),
    close: async () => {},
  }
}
