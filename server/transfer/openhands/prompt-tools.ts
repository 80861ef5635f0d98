import { fieldsOf, given, optionalText, textIn } from './values.ts'

/** The tools of a system prompt, in either form: a function as the API of OpenAI has it, or a definition. */
export function promptTools(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return []
  return value.map(tool => {
    const fields = fieldsOf(tool)
    const described = typeof fields.function === 'object' ? fieldsOf(fields.function) : fields
    return {
      name:
        textIn(described, 'name', 'title') ||
        textIn(fieldsOf(described.annotations), 'title') ||
        textIn(fields, 'kind'),
      ...given('description', optionalText(described, 'description')),
    }
  })
}
