/**
 * What happens, step by step, and at which step the agent gets a nudge or is found stuck (from 1).
 *
 * `a=x` a call and its result · `a~w=x` the same, said in other words · `a!e` a call and its error · `a-h` rejected by a
 * hook · `a-u` rejected by a person · `a?` not answered yet · `a=x+b=y` two calls of one answer · `poll=x` a look at a
 * process that goes on · `state` a state update · the other words are what they say.
 */
export interface StuckCase {
  name: string
  steps: string
  nudged?: number[]
  stuck?: number
}

export const STUCK_CASES: readonly StuckCase[] = [
  { name: 'work that goes on', steps: 'say a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8' },
  { name: 'the same call with the same result', steps: 'say a=1 a=1 a=1 a=1', nudged: [4], stuck: 5 },
  { name: 'three times is not four', steps: 'say a=1 a=1 a=1 b=1', nudged: [4] },
  { name: 'the same call with other results', steps: 'say a=1 a=2 a=3 a=4 a=5 a=6 a=7 a=8' },
  { name: 'other calls with the same result', steps: 'say a=1 b=1 c=1 d=1 e=1 f=1 g=1' },
  { name: 'a call that fails', steps: 'say a!1 a!1 a!1 a!1', nudged: [4], stuck: 5 },
  { name: 'a call that fails in other ways', steps: 'say a!1 a!2 a!3 a!4', nudged: [4], stuck: 5 },
  { name: 'other calls that fail', steps: 'say a!1 b!1 c!1 d!1 e!1' },
  { name: 'a call that fails until it works', steps: 'say a!1 a!1 a!1 a=1 b=1', nudged: [4] },
  { name: 'a second time in the same pattern', steps: 'say a=1 a=1 a=1 b=1 c=2 d=1 d=1 d=1 d=1', nudged: [4], stuck: 10 },
  { name: 'a nudge for each pattern', steps: 'say a=1 a=1 a=1 b!1 b!1 b!1 c=1', nudged: [4, 7] },
  { name: 'the same call in other words', steps: 'say a=1 a~x=1 a~y=1 a~z=1 a~u=1 a~v=1 a~w=1', nudged: [6], stuck: 8 },
  { name: 'two calls in turns', steps: 'say a=1 b=2 a=1 b=2 a=1 b=2', nudged: [6], stuck: 7 },
  { name: 'two calls in turns with other results', steps: 'say a=1 b=2 a=3 b=4 a=5 b=6 a=7 b=8' },
  { name: 'two calls in turns, then something else', steps: 'say a=1 b=2 a=1 b=2 a=1 c=1 a=1', nudged: [6] },
  { name: 'two failing calls in turns', steps: 'say a!1 b!2 a!1 b!2 a!1 b!2', nudged: [6], stuck: 7 },
  { name: 'three calls in turns', steps: 'say a=1 b=2 c=3 a=1 b=2 c=3 a=1 b=2 c=3', nudged: [9], stuck: 10 },
  {
    name: 'four calls in turns',
    steps: 'say a=1 b=2 c=3 d=4 a=1 b=2 c=3 d=4 a=1 b=2 c=3 d=4',
    nudged: [11],
    stuck: 13,
  },
  { name: 'talk without work', steps: 'say speak speak speak', nudged: [3], stuck: 4 },
  { name: 'talk between work', steps: 'say speak a=1 speak b=1 speak c=1 speak' },
  { name: 'talk with nudges and condensations between', steps: 'say speak nudge speak condense speak', nudged: [4], stuck: 6 },
  { name: 'talk with a person', steps: 'say speak say speak say speak say speak' },
  { name: 'a person who speaks between repetitions', steps: 'say a=1 a=1 say a=1 a=1 say a=1 a=1' },
  { name: 'a nudge for each thing that a person asked', steps: 'say a=1 a=1 a=1 say b=1 b=1 b=1', nudged: [4, 8] },
  { name: 'a nudge of another kind between repetitions', steps: 'say a=1 nudge a=1 nudge a=1 a=1', nudged: [6], stuck: 7 },
  { name: 'state updates between repetitions', steps: 'say a=1 state a=1 state a=1 state a=1', nudged: [6], stuck: 8 },
  { name: 'condensations between repetitions', steps: 'say a=1 a=1 condense a=1 a=1', nudged: [5], stuck: 6 },
  { name: 'a person who lets a stuck agent try again', steps: 'say a=1 a=1 a=1 error a=1 a=1', nudged: [4] },
  { name: 'a person who stops and goes on', steps: 'say a=1 a=1 interrupt a=1 a=1 pause a=1 a=1' },
  { name: 'rejections by a person', steps: 'say a-u a-u a-u a-u a-u' },
  { name: 'rejections by a hook', steps: 'say a-h a-h a-h a-h', nudged: [4], stuck: 5 },
  { name: 'the same calls in one answer', steps: 'say a=1+a=1+a=1+a=1 b=1' },
  { name: 'the same answer with several calls', steps: 'say a=1+b=2 a=1+b=2 a=1+b=2 a=1+b=2', nudged: [4], stuck: 5 },
  { name: 'answers that share a call', steps: 'say a=1+b=2 a=1+c=2 a=1+d=2 a=1+e=2 a=1+f=2' },
  { name: 'a call that waits for its result', steps: 'say a=1 a=1 a?' },
  {
    name: 'waiting for a process that says nothing',
    steps: `say${' poll=1'.repeat(24)}`,
    nudged: [9],
    stuck: 25,
  },
  { name: 'waiting for a process that speaks', steps: 'say poll=1 poll=2 poll=3 poll=4 poll=5 poll=6 poll=7 poll=8 poll=9' },
  { name: 'looking for an ended process again and again', steps: 'say ended=1 ended=1 ended=1 ended=1', nudged: [4], stuck: 5 },
  { name: 'condensing without end', steps: 'say a=1 condense condense condense', stuck: 5 },
  { name: 'condensing now and then', steps: 'say a=1 condense b=1 condense c=1 condense condense d=1 condense' },
  { name: 'a conversation that has not begun', steps: 'state' },
]
