import { Opcode } from '@foyer/protocol/gateway'
import type { MemberListUpdate } from '@foyer/protocol/members'
import { MemberList } from '@foyer/sdk/member-list'
import type { GatewayClient } from '../gateway-client.ts'

/** Asks for the list of a space's members: the first hundred, unless for something else. */
export function look(
  client: GatewayClient,
  spaceId: string,
  wanted: object = { member_ranges: [[0, 99]] },
): void {
  client.send(Opcode.Subscribe, { space_id: spaceId, ...wanted })
}

/** The same, of those members who may view the room. */
export function lookInto(client: GatewayClient, spaceId: string, roomId: string): void {
  look(client, spaceId, { room_id: roomId, member_ranges: [[0, 99]] })
}

/**
 * What the client makes of all that it was told of one list, as one line: its counts, the groups, and the names in their order
 * with what is known of their presence.
 */
export function listShown(client: GatewayClient, spaceId: string, roomId: string | null): string {
  const list = new MemberList()
  for (const { t, text } of client.frames) {
    const { d } = JSON.parse(text)
    if (t === 'PRESENCE_UPDATE') list.setPresence(d)
    if (t === 'SPACE_MEMBER_LIST_UPDATE' && d.space_id === spaceId && d.room_id === roomId) list.update(d)
  }
  const groups = list.groups.map(({ id, count }) => `${id}:${count}`)
  const listed = Array.from({ length: 100 }, (_, place) => list.at(place) ?? []).flat()
  const names = listed.map(({ member, presence }) =>
    [member.user.username.replace(/\d+$/, ''), ...(presence ? [presence.status] : [])].join('='),
  )
  return `${list.onlineCount}/${list.memberCount} ${groups.join(' ')} | ${names.join(' ')}`
}

/** All that the client was told of lists. */
export function listUpdates(client: GatewayClient): MemberListUpdate[] {
  return client.heard('SPACE_MEMBER_LIST_UPDATE').map(({ text }) => JSON.parse(text).d)
}
