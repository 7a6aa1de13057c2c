import { Macs } from '#src/kernel/macs.ts'

/**
 * What answers an interaction: nothing else proves that somebody may. It is made of the interaction's id with a key
 * derived from SECRET_KEY, so that the same one can be handed out again and none has to be kept.
 */
export class InteractionTokens {
  readonly #macs: Macs

  constructor(secretKey: string) {
    this.#macs = new Macs(secretKey, 'foyer interactions')
  }

  tokenOf(interactionId: string): string {
    return this.#macs.of(interactionId)
  }

  isTokenOf(interactionId: string, token: string): boolean {
    return this.#macs.isOf(interactionId, token)
  }
}
