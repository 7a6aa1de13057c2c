import { monthOf } from '#src/web/web-pages/making/paths.ts'
import type { Said, StartedThread, WebRoomModel } from './web-model.ts'
import { roomOf, type WebScene } from './web-scene.ts'

export function roomAddress({ spaceId }: WebScene, { id, name }: WebRoomModel): string {
  return `/read/${spaceId}/${id}-${name}`
}

export function monthAddress(scene: WebScene, room: WebRoomModel): string {
  return `${roomAddress(scene, room)}/${monthOf(Date.now())}`
}

export function threadAddress({ spaceId }: WebScene, { id, room, title }: StartedThread): string {
  return `/read/${spaceId}/${room.id}/t/${id}-${title}`
}

/** Returns the address of the page that begins with a message. */
export function startAddress(scene: WebScene, said: Said): string {
  const thread = scene.model.threads.find(({ id }) => id === said.channelId)
  const page = thread ? threadAddress(scene, thread) : monthAddress(scene, roomOf(scene, said))
  return `${page}?at=${said.id}`
}

/** Returns the addresses that only this message has. */
export function ownAddresses(scene: WebScene, said: Said): string[] {
  return [startAddress(scene, said), ...fileAddresses(scene, said)]
}

export function fileAddresses(scene: WebScene, said: Said): string[] {
  if (said.file === undefined) return []
  const { id: roomId } = roomOf(scene, said)
  return [`/read/${scene.spaceId}/${roomId}/files/${said.channelId}/${said.id}/${said.file.id}`]
}
