import { DEFAULT_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { Administration } from '@foyer/sdk/api/administration'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { monthAddress } from './web-addresses.ts'
import { isOpen, type WebRoomModel } from './web-model.ts'
import { addRoom, at, goodbye, shut, type Turn, type WebScene } from './web-scene.ts'

/** Changes whether @everyone may view a room. Open rooms are changed less often, so that most stay open. */
export async function hide({ scene, room }: Turn): Promise<void> {
  const { model, random } = scene
  if (isOpen(model, room) && random.below(4) > 0) return
  room.overwrite = random.pick((['allow', 'none', 'deny'] as const).filter((one) => one !== room.overwrite))
  const { ViewChannels } = Permission
  await overwrite(scene, room, {
    ...{ target_id: scene.spaceId, target_type: OverwriteTarget.Role },
    allow_flags: room.overwrite === 'allow' ? ViewChannels : 0,
    deny_flags: room.overwrite === 'deny' ? ViewChannels : 0,
  })
}

/** Lets one member view a room, which changes nothing for the public. */
export async function admit({ scene, room, author }: Turn): Promise<void> {
  if (!author.isMember) return
  const target = { target_id: author.person.id, target_type: OverwriteTarget.Member }
  await overwrite(scene, room, { ...target, allow_flags: Permission.ViewChannels, deny_flags: 0 })
}

type Overwrite = Record<'target_type' | 'allow_flags' | 'deny_flags', number> & { target_id: string }

async function overwrite(scene: WebScene, room: WebRoomModel, body: Overwrite): Promise<void> {
  await at(scene, scene.owner.person).client.overwrites.upsert(scene.spaceId, room.id, body)
}

/** Changes the permissions of @everyone in the space. */
export async function changeEveryone({ scene }: Turn): Promise<void> {
  const { model, spaceId, owner, random } = scene
  if (model.isViewedByEveryone && random.below(8) > 0) return
  model.isViewedByEveryone = !model.isViewedByEveryone
  const { ViewChannels } = Permission
  const permissions = model.isViewedByEveryone ? DEFAULT_PERMISSIONS : DEFAULT_PERMISSIONS & ~ViewChannels
  await at(scene, owner.person).client.roles.update(spaceId, spaceId, { permissions })
}

export async function openToWeb({ scene, room }: Turn): Promise<void> {
  const { model } = scene
  if (room.onWebSince !== undefined || !model.isAllowed || !isOpen(model, room)) return
  const { web } = await webRooms(scene).open(room.id)
  room.onWebSince = Date.parse(web?.since ?? '')
}

/** Closes a room now and then. */
export async function closeToWeb({ scene, room }: Turn): Promise<void> {
  if (room.onWebSince === undefined || scene.random.below(3) > 0) return
  await webRooms(scene).close(room.id)
  Object.assign(room, shut)
}

function webRooms(scene: WebScene): WebRooms {
  return at(scene, scene.owner.person).client.api(WebRooms)
}

/** Changes the settings of a public room: whether search engines may index it, or whether earlier messages become public. */
export async function changeOpening({ scene, room }: Turn): Promise<void> {
  const { model, random } = scene
  if (room.onWebSince === undefined || !model.isAllowed || !isOpen(model, room)) return
  const rooms = webRooms(scene)
  if (room.isForum || random.below(2) === 0) {
    room.isIndexed = !room.isIndexed
    await rooms.open(room.id, { is_indexed: room.isIndexed })
    return
  }
  room.isAnnounced = !room.isAnnounced
  room.isWhole = false
  await rooms.open(room.id, { backwards: room.isAnnounced })
}

/** Lets the week pass after which the earlier messages of a room can be read. */
export async function passAWeek({ scene, room }: Turn): Promise<void> {
  const { servers, spaceId, owner, count } = scene
  const [server] = servers
  if (!room.isAnnounced || room.isWhole) return
  room.isWhole = true
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`
      update web_rooms set whole_from = now() - interval '1 second'
      where space_id = ${spaceId} and room_id = ${room.id}`)
  })
  // Loads the room again.
  await at(scene, owner.person).client.rooms.update(spaceId, room.id, { description: `week ${count}` })
}

export async function renameRoom({ scene, room }: Turn): Promise<void> {
  const name = `room${scene.count}x`
  await at(scene, scene.owner.person).client.rooms.update(scene.spaceId, room.id, { name })
  room.name = name
}

/** Deletes a room now and then, and makes another one. */
export async function removeRoom({ scene, room }: Turn): Promise<void> {
  const { model, spaceId, owner, random } = scene
  if (random.below(4) > 0) return
  await at(scene, owner.person).client.rooms.delete(spaceId, room.id)
  goodbye(scene, monthAddress(scene, room))
  const threads = model.threads.filter((thread) => thread.room === room)
  const channels = [room, ...threads].map(({ id }) => id)
  model.rooms = model.rooms.filter((one) => one !== room)
  model.threads = model.threads.filter((thread) => !threads.includes(thread))
  model.said = model.said.filter(({ channelId }) => !channels.includes(channelId))
  await addRoom(scene, room.isForum)
}

export async function freeze({ scene }: Turn): Promise<void> {
  const { operator, spaceId, model, random } = scene
  if (!model.isFrozen && random.below(6) > 0) return
  const administration = at(scene, operator).client.api(Administration)
  if (model.isFrozen) await administration.unfreezeSpace(spaceId)
  else await administration.freezeSpace(spaceId)
  model.isFrozen = !model.isFrozen
}

/** Deletes the space, or brings it back. */
export async function deleteSpace({ scene }: Turn): Promise<void> {
  const { operator, owner, spaceId, model, random } = scene
  if (!model.isDeleted && random.below(6) > 0) return
  if (model.isDeleted) await at(scene, operator).client.api(Administration).restoreSpace(spaceId)
  else await at(scene, owner.person).client.spaces.delete(spaceId)
  model.isDeleted = !model.isDeleted
}
