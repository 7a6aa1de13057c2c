/** Errors of webhooks, and of following announcement rooms by them. */
export const webhookErrors = {
  not_an_announcement_room: { status: 400, message: 'this room has no announcements to follow' },
  cannot_announce: { status: 400, message: 'only text rooms can have announcements' },
  unfit_follower: { status: 400, message: 'only another text room can follow this room' },
  too_many_followers: { status: 400, message: 'the room already has 2000 followers' },
  already_followed: { status: 409, message: 'the room follows this one already' },
  too_many_webhooks: { status: 400, message: 'the room already has 15 webhooks' },
  unknown_webhook: { status: 404, message: 'webhook not found' },
} as const
