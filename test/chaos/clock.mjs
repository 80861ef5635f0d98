import { readFileSync } from 'node:fs'

// Loaded into the service before it starts. At SIGUSR2 its clock jumps to as many milliseconds from the true time as
// the file ATELIER_TEST_CLOCK says. As on a machine whose clock is set, timers go on as before.
const RealDate = Date
let offset = 0

class JumpingDate extends RealDate {
  /** @param {any[]} given */
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset)
    // @ts-expect-error: passes on whatever a date is made from
    else super(...given)
  }

  /** @override */
  static now() {
    return RealDate.now() + offset
  }
}

// `Date()` without new is a text, and a class cannot be called.
globalThis.Date = /** @type {DateConstructor} */ (new Proxy(JumpingDate, { apply: () => new JumpingDate().toString() }))

process.on('SIGUSR2', () => {
  offset = Number(readFileSync(process.env.ATELIER_TEST_CLOCK ?? '', 'utf8'))
})
