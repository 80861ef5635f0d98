/** The stream went wrong although the provider reported no error. */
export class AnswerFault extends Error {
  readonly kind:
    | 'incomplete'
    | 'silent'
    | 'malformed-call'
    | 'blocked'
    | 'too-long'
    | 'unstreamed'
    | 'too-large'
    | 'repeat'

  constructor(kind: AnswerFault['kind'], message: string) {
    super(message)
    this.name = 'AnswerFault'
    this.kind = kind
  }
}
