import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { formOf, plainPicture, randomPicture, type UploadedFile } from '../../load/upload.ts'
import type { Attack } from '../attack.ts'
import { makeSpaces } from '../owned-spaces.ts'

const PICTURE_BYTES = 1_500_000
/** Width and height of a picture that is just within the server's limit of pixels. */
const BOMB_SIDE = 9900

/** Sends messages full of pictures, each of which the server encodes again. */
export const pictures = sendingPictures({
  name: 'pictures',
  prefix: 'painter',
  lanes: 16,
  make: (isSmoke) => randomPicture(isSmoke ? 10_000 : PICTURE_BYTES),
})

/** Uploads small files that become large pictures when they are decoded. */
export const mediaBombs = sendingPictures({
  name: 'media-bombs',
  prefix: 'bomber',
  lanes: 8,
  make: (isSmoke) => plainPicture(isSmoke ? 100 : BOMB_SIDE),
})

interface PictureAttack {
  name: string
  /** Prefix of the names of the attacker's accounts. */
  prefix: string
  /** Number of messages that are sent in parallel. */
  lanes: number
  make(isSmoke: boolean): UploadedFile
}

function sendingPictures({ name, prefix, lanes, make }: PictureAttack): Attack {
  return {
    name,
    prepare: ({ foyer }) => makeSpaces(foyer, { prefix, people: 1, spaces: 1, rooms: 10 }),
    run(attacker, signal) {
      const picture = make(attacker.isSmoke)
      const form = formOf(Array.from({ length: MAX_MESSAGE_FILES }, () => picture))
      return attacker.askInLanes(lanes, signal, (turn) => ({
        method: 'POST',
        path: `/api/rooms/${attacker.room(turn)}/messages`,
        identity: attacker.person,
        ...form,
      }))
    },
  }
}
