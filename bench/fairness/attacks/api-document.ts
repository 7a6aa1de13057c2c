import type { Attack } from '../attack.ts'
import { noFixture } from '../fixture.ts'

const LANES = 16

/** Requests the long OpenAPI document, without an account. */
export const apiDocument: Attack = {
  name: 'api-document',
  prepare: noFixture,
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, () => ({ method: 'GET', path: '/api/docs/json' })),
}
