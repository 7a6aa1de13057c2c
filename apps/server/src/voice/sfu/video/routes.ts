import type { Member } from '../member.ts'
import type { Route } from '../publisher.ts'
import type { PicturePublisher, PictureRoute } from './picture-publisher.ts'
import { keyOf, type PictureChanges } from './picture-viewer.ts'

/**
 * Assigns the slots of all viewers to what they watch.
 * @param tell receives what has changed for a member
 */
export function assignPictures(
  members: Iterable<Member>,
  tell: (member: Member, changes: PictureChanges) => void,
): void {
  const present = [...members]
  const live = new Map<string, PicturePublisher>()
  const published = present.flatMap(({ peer, pictures }) => (peer && pictures ? pictures.published : []))
  for (const picture of published.filter(({ isLive }) => isLive)) live.set(keyOf(picture), picture)
  for (const member of present) {
    const changes = member.pictures?.viewer.assign(live)
    if (changes !== undefined && changes.slots.length + changes.sounds.length > 0) tell(member, changes)
  }
}

/** Stores the receivers of each picture, so that a packet needs no look-up. */
export function routePictures(members: ReadonlySet<Member>): void {
  const routes = new Map<PicturePublisher, PictureRoute[]>()
  const sounds = new Map<PicturePublisher, Route[]>()
  for (const viewer of members) addRoutesTo(viewer, routes, sounds)
  for (const { pictures } of members) {
    for (const picture of pictures?.published ?? []) picture.routes = routes.get(picture) ?? []
    const screen = pictures?.published.find(({ source }) => source === 'screen')
    if (pictures?.sound && screen) pictures.sound.routes = sounds.get(screen) ?? []
  }
}

function addRoutesTo(
  { peer, isConnected, rights, pictures }: Member,
  routes: Map<PicturePublisher, PictureRoute[]>,
  sounds: Map<PicturePublisher, Route[]>,
): void {
  if (!peer || !isConnected || !pictures) return
  const { splices, soundSplices, shown, heard } = pictures.viewer
  for (const [slot, splice] of splices.entries()) addRoute(routes, shown[slot], { splice, peer })
  if (!rights.canHear) return
  for (const [slot, splice] of soundSplices.entries())
    addRoute(sounds, heard[slot], { splice, peer, takesReports: true })
}

/** Adds a receiver to those of a publisher; nothing if there is no publisher. */
export function addRoute<Key, Value>(map: Map<Key, Value[]>, key: Key | undefined, value: Value): void {
  if (key === undefined) return
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
