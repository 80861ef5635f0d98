import { ANSWER_REVIEW_COMMENT } from '../api/event/review-comments.ts'
import { createFileEditor } from './file-editor.ts'
import { type Tool, type ToolHost, text } from './tool.ts'

export const PLAN_EDITOR = 'planning_file_editor'

type Editor = ReturnType<typeof createFileEditor>

/** The file editor of an agent that plans: it views everything and writes one file, the plan. */
export function createPlanningFileEditor(host: ToolHost, planPath: string): Editor {
  const editor = createFileEditor(host)
  return {
    ...editor,
    name: PLAN_EDITOR,
    description: `${editor.description}\n\nYou may view every file, and create or change only ${planPath}.`,
    run: async (action, context) => {
      if (action.command === 'view' || action.path === planPath) return editor.run(action, context)
      return {
        kind: 'FileEditorObservation',
        content: text(
          `Only ${planPath} may be written while you plan. Put what should be done to ${action.path} into it.`,
        ),
        is_error: true,
        command: action.command,
        path: action.path,
        prev_exist: false,
      }
    },
  }
}

/** Names of tools that a planning agent has beside its editor. */
export const PLANNING_TOOLS: ReadonlySet<Tool['name']> = new Set([
  'grep',
  'glob',
  'invoke_skill',
  ANSWER_REVIEW_COMMENT,
  'think',
  'finish',
])
