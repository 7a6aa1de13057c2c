import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { formOf, plainPicture } from '../../load/upload.ts'
import type { Attack } from '../attack.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 8
/** Just within the server's limit of pixels. */
const SIDE = 9900

/** Uploads small files that become large pictures when they are decoded. */
export const mediaBombs: Attack = {
  name: 'media-bombs',
  prepare: ({ foyer }) => makeSpaces(foyer, { prefix: 'bomber', people: 1, spaces: 1, rooms: 10 }),
  run(attacker, signal) {
    const picture = plainPicture(attacker.isSmoke ? 100 : SIDE)
    const form = formOf(Array.from({ length: MAX_MESSAGE_FILES }, () => picture))
    return attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'POST',
      path: `/api/rooms/${attacker.room(turn)}/messages`,
      identity: attacker.person,
      ...form,
    }))
  },
}
