import { Opcode } from '@foyer/protocol/gateway'
import type { MemberListUpdate } from '@foyer/protocol/members'
import type { GatewayClient } from './gateway-client.ts'

/** Asks for the list of a space's members: the first hundred, unless for something else. */
export function look(
  client: GatewayClient,
  spaceId: string,
  wanted: object = { member_ranges: [[0, 99]] },
): void {
  client.send(Opcode.Subscribe, { space_id: spaceId, ...wanted })
}

/** All that the client was told of lists. */
export function listUpdates(client: GatewayClient): MemberListUpdate[] {
  return client.heard('SPACE_MEMBER_LIST_UPDATE').map(({ text }) => JSON.parse(text).d)
}
