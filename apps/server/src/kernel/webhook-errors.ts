/** Errors of webhooks, and of following announcement rooms, whose messages a webhook copies. */
export const webhookErrors = {
  not_an_announcement_room: { status: 400, message: 'this room has no announcements to follow' },
  cannot_announce: { status: 400, message: 'only text rooms can have announcements' },
  unfit_follower: { status: 400, message: 'only another text room can follow this room' },
  too_many_followers: { status: 400, message: 'the room already has 2000 followers' },
  already_followed: { status: 409, message: 'the room follows this one already' },
  invalid_source_url: { status: 400, message: 'this is not the address of a room on a Foyer server' },
  own_server: { status: 400, message: 'this room is on this server: follow it here, without its address' },
  source_unreachable: { status: 400, message: 'the other server cannot be reached' },
  not_an_announcement_feed: {
    status: 400,
    message: 'there is no announcement room at this address that other servers can follow',
  },
  too_many_remote_follows: { status: 400, message: 'the space already follows 100 rooms of other servers' },
  too_many_webhooks: { status: 400, message: 'the room already has 15 webhooks' },
  unknown_webhook: { status: 404, message: 'webhook not found' },
} as const
