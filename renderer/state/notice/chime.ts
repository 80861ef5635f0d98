/** Two soft notes, a fourth apart: hertz and the second at which each begins. */
const NOTES = [
  { hertz: 587.33, at: 0 },
  { hertz: 783.99, at: 0.12 },
] as const
const LENGTH_S = 0.45
const LOUDNESS = 0.12

/** Plays the sound of a notification once. Where there is no audio device, nothing is heard. */
export function playChime(): void {
  const context = new AudioContext()
  const begin = context.currentTime + 0.02
  const last = NOTES.map(({ hertz, at }) => playNote(context, hertz, begin + at)).at(-1)
  last?.addEventListener('ended', () => void context.close())
}

function playNote(context: AudioContext, hertz: number, begin: number): OscillatorNode {
  const note = new OscillatorNode(context, { type: 'sine', frequency: hertz })
  const gain = new GainNode(context, { gain: 0 })
  gain.gain.setValueAtTime(0, begin)
  gain.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.02)
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + LENGTH_S)
  note.connect(gain).connect(context.destination)
  note.start(begin)
  note.stop(begin + LENGTH_S)
  return note
}
