import type { Attack } from './attack.ts'
import { apiDocument } from './attacks/api-document.ts'
import { botIdentifies, botPages, bots } from './attacks/bots.ts'
import { frames, pongs } from './attacks/frame-floods.ts'
import { heavyPages } from './attacks/heavy-pages.ts'
import { identifies } from './attacks/identifies.ts'
import { linkPreviews } from './attacks/link-previews.ts'
import { longBodies } from './attacks/long-bodies.ts'
import { memberRequests } from './attacks/member-requests.ts'
import { mentionLists } from './attacks/mention-lists.ts'
import { messageFlood } from './attacks/message-flood.ts'
import { mediaBombs, pictures } from './attacks/pictures.ts'
import { pushes } from './attacks/pushes.ts'
import { searches } from './attacks/searches.ts'
import { silentConnections } from './attacks/silent-connections.ts'
import { spaceChanges } from './attacks/space-changes.ts'
import { unfinishedBodies } from './attacks/unfinished-bodies.ts'
import { webhooks } from './attacks/webhooks.ts'

/** Every attack, in the order in which they run. */
export const attacks: readonly Attack[] = [
  linkPreviews,
  pushes,
  spaceChanges,
  identifies,
  mentionLists,
  silentConnections,
  unfinishedBodies,
  longBodies,
  heavyPages,
  messageFlood,
  webhooks,
  bots,
  botPages,
  botIdentifies,
  searches,
  pictures,
  mediaBombs,
  memberRequests,
  pongs,
  frames,
  apiDocument,
]

/** @throws Error for an unknown name */
export function attackNamed(name: string): Attack {
  const attack = attacks.find((each) => each.name === name)
  if (attack === undefined)
    throw new Error(`unknown attack ${name}, expected one of ${attacks.map((each) => each.name).join(', ')}`)
  return attack
}
