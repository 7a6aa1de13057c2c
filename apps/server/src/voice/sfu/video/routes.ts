import type { Member } from '../member.ts'
import type { Route } from '../publisher.ts'
import type { PictureLayer, PictureRoute } from './picture-layer.ts'
import type { PicturePublisher } from './picture-publisher.ts'
import { keyOf, type PictureChanges } from './picture-viewer.ts'

/**
 * Assigns the slots of all viewers to the pictures that they watch.
 * @param notify is called with the changes of a member
 */
export function assignPictures(
  members: Iterable<Member>,
  notify: (member: Member, changes: PictureChanges) => void,
): void {
  const present = [...members]
  const live = new Map<string, PicturePublisher>()
  const published = present.flatMap(({ peer, pictures }) => (peer && pictures ? pictures.published : []))
  for (const picture of published.filter(({ isLive }) => isLive)) live.set(keyOf(picture), picture)
  for (const member of present) {
    const changes = member.pictures?.assign(live, member.heard)
    if (changes !== undefined && changes.slots.length + changes.sounds.length > 0) notify(member, changes)
  }
}

/**
 * Chooses the layers of the pictures that viewers watch.
 * @returns whether the choice has changed for any viewer
 */
export function chooseAllLayers(members: Iterable<Member>, nowMs: number): boolean {
  let isChanged = false
  for (const { pictures } of members) if (pictures?.viewer.chooseLayers(nowMs)) isChanged = true
  return isChanged
}

/** Reports changed layers. @param notify is called with the slots of a member that now have another layer, or none */
export function reportLayers(
  members: Iterable<Member>,
  notify: (member: Member, changes: PictureChanges) => void,
  nowMs: number,
): void {
  for (const member of members) {
    const slots = member.pictures?.viewer.takeNewLayers(nowMs) ?? []
    if (slots.length > 0) notify(member, { slots, sounds: [] })
  }
}

/** Stores the receivers of each layer, so that a packet needs no look-up. */
export function routePictures(members: ReadonlySet<Member>): void {
  const routes = new Map<PictureLayer, PictureRoute[]>()
  const sounds = new Map<PicturePublisher, Route[]>()
  for (const viewer of members) addRoutesTo(viewer, routes, sounds)
  for (const { pictures } of members) {
    const layers = pictures?.published.flatMap((picture) => picture.layers) ?? []
    for (const layer of layers) layer.routeTo(routes.get(layer) ?? [])
    const screen = pictures?.published.find(({ source }) => source === 'screen')
    if (pictures?.sound && screen) pictures.sound.routes = sounds.get(screen) ?? []
  }
}

function addRoutesTo(
  { peer, isConnected, rights, pictures }: Member,
  routes: Map<PictureLayer, PictureRoute[]>,
  sounds: Map<PicturePublisher, Route[]>,
): void {
  if (!peer || !isConnected || !pictures) return
  const { slots, soundSplices, heard } = pictures.viewer
  const link = pictures.linkTo(peer)
  for (const slot of slots) for (const layer of slot.layers) addRoute(routes, layer, { slot, peer: link })
  if (!rights.canHear) return
  for (const [slot, splice] of soundSplices.entries())
    addRoute(sounds, heard[slot], { splice, peer, takesReports: true })
}

/** Adds a receiver to the receivers of a publisher. Does nothing if there is no publisher. */
export function addRoute<Key, Value>(map: Map<Key, Value[]>, key: Key | undefined, value: Value): void {
  if (key === undefined) return
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
