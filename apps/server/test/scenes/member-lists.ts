import { Opcode } from '@foyer/protocol/gateway'
import type { MemberListUpdate } from '@foyer/protocol/members'
import { MemberList } from '@foyer/sdk/member-list'
import type { GatewayClient } from '../gateway-client.ts'

/** Subscribes to the member list of a space, by default to the first hundred members. */
export function look(
  client: GatewayClient,
  spaceId: string,
  wanted: object = { member_ranges: [[0, 99]] },
): void {
  client.send(Opcode.Subscribe, { space_id: spaceId, ...wanted })
}

/** Subscribes to the first hundred members who may view the room. */
export function lookInto(client: GatewayClient, spaceId: string, roomId: string): void {
  look(client, spaceId, { room_id: roomId, member_ranges: [[0, 99]] })
}

/**
 * Applies all updates of one member list that the client received. Returns the list as one line: counts, groups, and
 * names with their presence.
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

/** Returns all member list updates that the client received. */
export function listUpdates(client: GatewayClient): MemberListUpdate[] {
  return client.heard('SPACE_MEMBER_LIST_UPDATE').map(({ text }) => JSON.parse(text).d)
}
