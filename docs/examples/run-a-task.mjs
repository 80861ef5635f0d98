import { connect } from 'atelier/client'

// Finds the running app by its discovery file; the key comes from SESSION_API_KEY.
const atelier = await connect()

const { status, response, conversation } = await atelier.run(
  { message: 'Write a haiku about rain into rain.txt.', title: 'Haiku' },
  { onStep: step => console.error(step.status, step.detail ?? '') },
)
console.log(status, response)

for (const change of await conversation.changes()) console.log(change.status, change.path)
