/** Errors of the operators' routes. A part of `errors`. */
export const operatorErrors = {
  too_many_announcements: {
    status: 400,
    message: 'the server already has 3 announcements that have not ended',
  },
  invalid_announcement_times: {
    status: 400,
    message:
      'an announcement starts within 30 days and ends in the future, after its start and within 30 days of it',
  },
  too_many_operator_invites: { status: 400, message: 'the server already has 1000 working invites' },
  unknown_announcement: { status: 404, message: 'announcement not found, or it has ended' },
  operator_only: { status: 403, message: 'only operators of this server can do this' },
  last_operator: { status: 409, message: 'the server needs at least one operator' },
  owner_deleted: { status: 409, message: 'the account of its owner is deleted: name a member as the owner' },
  has_operator: { status: 409, message: 'the server already has an operator' },
  bots_cannot_operate: { status: 400, message: 'a bot cannot be an operator' },
  unknown_job: { status: 404, message: 'there is no failed job with this id' },
  backups_off: { status: 409, message: 'the server makes no backups: BACKUP_TO is not set' },
} as const
