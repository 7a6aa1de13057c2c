import type { SfuRefusal } from './messages.ts'

/** An error that is returned to the caller, and has no other effect. */
export class Refusal extends Error {
  readonly code: SfuRefusal

  constructor(code: SfuRefusal, message: string) {
    super(message)
    this.code = code
  }
}
