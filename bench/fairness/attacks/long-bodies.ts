import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { Attack } from '../attack.ts'
import { noFixture } from '../fixture.ts'

const LANES = 2
const body = `{"email":[${'0,'.repeat(MAX_BODY_BYTES / 2 - 100)}0],"password":""}`

/** Sends JSON of 32 MiB to the login route, without an account. */
export const longBodies: Attack = {
  name: 'long-bodies',
  prepare: noFixture,
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, () => ({ method: 'POST', path: '/api/auth/login', body })),
}
