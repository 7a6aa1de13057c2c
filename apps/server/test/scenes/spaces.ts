import type { Room } from '@foyer/protocol/rooms'
import { RoomType } from '@foyer/protocol/rooms'
import type { Person } from './people.ts'

/** A space with its first two rooms. */
export interface TestSpace {
  id: string
  rooms: Room[]
  general: string
  lounge: string
}

type Host = Pick<Person, 'client'>

/** Creates a space that the others have joined. */
export async function makeSpace(owner: Host, others: readonly Host[] = []): Promise<TestSpace> {
  const { space, rooms } = await owner.client.spaces.create({ name: 'Tea' })
  const find = (type: number) => rooms.find((room) => room.type === type)?.id ?? ''
  const made = { id: space.id, rooms, general: find(RoomType.Text), lounge: find(RoomType.Voice) }
  for (const other of others) await join(other, owner, made)
  return made
}

/** Lets a user join with an invite of the host. */
export async function join(guest: Host, host: Host, space: TestSpace): Promise<void> {
  const { code } = await host.client.invites.create(space.id, space.general)
  await guest.client.invites.join(code)
}
