import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { formOf, randomPicture } from '../../load/upload.ts'
import type { Attack } from '../attack.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 16
const PICTURE_BYTES = 1_500_000

/** Sends messages full of pictures, each of which the server encodes again. */
export const pictures: Attack = {
  name: 'pictures',
  prepare: ({ foyer }) => makeSpaces(foyer, { prefix: 'painter', people: 1, spaces: 1, rooms: 10 }),
  run(attacker, signal) {
    const picture = randomPicture(attacker.isSmoke ? 10_000 : PICTURE_BYTES)
    const form = formOf(Array.from({ length: MAX_MESSAGE_FILES }, () => picture))
    return attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'POST',
      path: `/api/rooms/${attacker.room(turn)}/messages`,
      identity: attacker.person,
      ...form,
    }))
  },
}
