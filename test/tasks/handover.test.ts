import { expect } from 'vitest'
import { updateAppConversation } from '../../server/api/v1/conversation/conversations.ts'
import { it } from '../fixtures/workshop.ts'
import { said } from '../parts/client/conversation.ts'
import { expectSound, finish, inside, type Mind, MODELS, must, type Speaker, TASK_MS } from './parts.ts'

const SPEAKERS: Speaker[] = ['anthropic', 'gemini', 'responses', 'openai', 'without-tools', 'anthropic', 'responses']
const proofOf = (wire: string) => `proof-by-${wire}`

/** Each adds its line twice, in one answer where it can, with a thought that only its provider can check. */
const mind: Mind = function* (first) {
  let sight = first
  for (let turn = 0; ; turn++) {
    const { wire } = sight.request
    const results = sight.said.flatMap(one => (one.kind === 'result' ? [one.text] : []))
    must(results.filter(text => text.startsWith('line ')).length === turn * 2, results.join('\n'))
    const command = `echo line ${turn} | tee -a lines.txt`
    const call = { name: 'terminal', arguments: { command } }
    const written = yield { reasoning: 'I add two lines.', signature: proofOf(wire), toolCalls: [call, call] }
    must(written.results.length === 2 && written.result.startsWith(`line ${turn}\n`), written.results.join('\n'))
    sight = yield finish(`Line ${turn} is there twice.`)
  }
}

it(
  'a conversation goes on with one provider after the other, and shows each what it can read',
  async ({ workshop }) => {
    const task = await workshop.begin(SPEAKERS[0] ?? 'openai', 'Add the lines, a pair each time.', mind)
    await task.finished()
    for (const speaker of SPEAKERS.slice(1)) {
      await workshop.service.client.call(updateAppConversation, {
        params: { conversation_id: task.id },
        body: { llm_model: MODELS[speaker] },
      })
      task.seen.send(said('And the next.'))
      await task.finished()
    }
    expectSound(task)
    const lines = SPEAKERS.map((_, turn) => `line ${turn}\nline ${turn}\n`).join('')
    expect((await inside(task.sandboxId, 'cat lines.txt')).out).toBe(lines)

    for (const { request } of task.sights) {
      const body = JSON.stringify(request.body)
      const foreign = SPEAKERS.filter(speaker => speaker !== request.wire && body.includes(proofOf(speaker)))
      expect(foreign).toEqual([])
    }
    const own = task.sights
      .slice(-1)
      .map(({ request }) => JSON.stringify(request.body).split(proofOf('responses')).length)
    // Of its first turn and of this one.
    expect(own).toEqual([3])
  },
  TASK_MS,
)
