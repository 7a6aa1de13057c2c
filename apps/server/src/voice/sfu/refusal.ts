import type { SfuRefusal } from './messages.ts'

/** What the one who asked is told, and nothing else happened. */
export class Refusal extends Error {
  readonly code: SfuRefusal

  constructor(code: SfuRefusal, message: string) {
    super(message)
    this.code = code
  }
}
