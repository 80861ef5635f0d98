import { connect } from 'atelier/client'

const [, , id, afterSeq = '-1'] = process.argv
const conversation = (await connect()).conversation(id)

// Stored events come once each and in order, also when the service restarts meanwhile. Who keeps the number of
// the last one goes on from there the next time.
for await (const event of conversation.events({ afterSeq: Number(afterSeq) })) {
  if (!('seq' in event)) continue
  console.log(event.seq, event.kind)
  if (event.kind === 'ConversationStateUpdateEvent' && event.value === 'finished') break
}
