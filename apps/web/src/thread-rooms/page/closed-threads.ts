import { Permission } from '@foyer/protocol/permissions'
import { holds } from '@foyer/protocol/rights'
import type { OpenChannel } from '#src/channels/channel-context.ts'

/** Returns the channel without the right to send messages. */
export function withoutSending(channel: OpenChannel): OpenChannel {
  const { permissions, capabilities } = channel.rights
  const rights = { permissions: permissions & ~Permission.SendMessages, capabilities }
  return { ...channel, rights, may: (needed) => holds(rights, needed) }
}
