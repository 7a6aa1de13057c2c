import { Macs } from '#src/kernel/secrets/macs.ts'

/**
 * Derives the tokens that answer interactions from the interaction's id and a key made from SECRET_KEY. Tokens can be
 * handed out again and none is stored.
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
