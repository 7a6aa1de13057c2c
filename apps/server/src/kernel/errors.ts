/** Every error the API answers with: its machine code, status and message. Messages that the specification fixes are these. */
export const errors = {
  invalid_request: { status: 400, message: 'invalid request' },
  invalid_json: { status: 400, message: 'the request body is not valid JSON' },
  malformed_request: { status: 400, message: 'the request is not valid HTTP' },
  body_unreadable: { status: 400, message: 'the request body could not be read' },
  unknown_flags: { status: 400, message: 'permissions contain unknown flags' },
  empty_message: { status: 400, message: 'the message is empty' },
  not_a_message_room: { status: 400, message: 'a category has no messages' },
  too_many_invites: { status: 400, message: 'the space already has 1000 working invites' },
  too_many_rooms: { status: 400, message: 'the space already has 500 rooms' },
  too_many_roles: { status: 400, message: 'the space already has 250 roles' },
  too_many_overwrites: { status: 400, message: 'the room already has 500 overwrites' },
  too_many_space_overwrites: { status: 400, message: 'the space already has 5000 overwrites' },
  too_many_spaces: { status: 400, message: 'you are already in 200 spaces' },
  not_a_category: { status: 400, message: 'parent_id must be a category of this space' },
  everyone_is_fixed: { status: 400, message: '@everyone cannot be deleted, assigned or moved' },
  target_type_fixed: { status: 400, message: 'the target type of an overwrite cannot change' },
  image_needs_multipart: { status: 400, message: 'a new image must be sent as multipart/form-data' },
  already_owner: { status: 400, message: 'you own this space already' },
  bots_cannot_own: { status: 400, message: 'a bot cannot own a space' },
  befriending_oneself: { status: 400, message: 'you cannot befriend yourself' },
  befriending_bot: { status: 400, message: 'bots cannot be friends' },
  already_friends: { status: 400, message: 'you are friends already' },
  request_pending: { status: 400, message: 'a friend request between you is pending' },
  user_blocked: { status: 400, message: 'you have blocked this user' },
  blocking_oneself: { status: 400, message: 'you cannot block yourself' },
  too_many_friends: { status: 400, message: 'one of you already has 1000 friends' },
  too_many_friend_requests: { status: 400, message: 'you already have 100 pending friend requests' },
  too_many_received_requests: { status: 400, message: 'this user already has 1000 pending friend requests' },
  too_many_blocks: { status: 400, message: 'you already block 1000 users' },
  too_many_applications: { status: 400, message: 'you already have 50 applications' },
  username_taken: { status: 400, message: 'username is taken' },
  email_taken: { status: 400, message: 'email is taken' },
  invalid_token: { status: 400, message: 'token is invalid or expired' },
  invalid_birthdate: { status: 400, message: 'birthdate must be between 1900 and today' },
  owns_spaces: { status: 400, message: 'transfer or delete the spaces you own first' },
  wrong_password: { status: 400, message: 'password is wrong' },
  authentication_required: { status: 401, message: 'authentication required' },
  invalid_login: { status: 401, message: 'email or password is wrong' },
  bots_not_allowed: { status: 403, message: 'bots cannot use this endpoint' },
  not_a_member: { status: 403, message: 'you are not a member of this space' },
  missing_permission: { status: 403, message: "you don't have permission to do this" },
  cannot_manage_space: { status: 403, message: "you don't have permission to manage this space" },
  permission_not_held: { status: 403, message: 'you can only give and take permissions that you have' },
  role_not_below: { status: 403, message: 'the role must be below your highest role' },
  member_not_below: { status: 403, message: 'the member must be below you' },
  owner_only: { status: 403, message: 'only the owner of the space can do this' },
  banned: { status: 403, message: 'you are banned from this space' },
  bot_banned: { status: 403, message: 'the bot is banned from this space' },
  bot_not_public: { status: 403, message: 'the bot is not public' },
  owner_cannot_leave: { status: 403, message: 'the owner cannot leave their own space' },
  not_found: { status: 404, message: 'not found' },
  unknown_user: { status: 404, message: 'user not found' },
  unknown_room: { status: 404, message: 'room not found' },
  unknown_message: { status: 404, message: 'message not found' },
  unknown_member: { status: 404, message: 'member not found' },
  unknown_invite: { status: 404, message: 'invite not found' },
  unknown_role: { status: 404, message: 'role not found' },
  unknown_overwrite: { status: 404, message: 'overwrite not found' },
  unknown_ban: { status: 404, message: 'ban not found' },
  unknown_bot: { status: 404, message: 'bot not found' },
  unknown_application: { status: 404, message: 'application not found' },
  unknown_friend: { status: 404, message: 'friend not found' },
  unknown_friend_request: { status: 404, message: 'friend request not found' },
  unknown_block: { status: 404, message: 'block not found' },
  unknown_session: { status: 404, message: 'session not found' },
  request_timeout: { status: 408, message: 'the request took too long to arrive' },
  body_too_large: { status: 413, message: 'the request body is over 32 MiB' },
  rate_limited: { status: 429, message: 'too many requests, try again later' },
  too_many_failed_logins: { status: 429, message: 'too many failed login attempts, try again later' },
  headers_too_large: { status: 431, message: 'the request headers are too large' },
  internal: { status: 500, message: 'internal error' },
  unavailable: { status: 503, message: 'temporarily unavailable, try again later' },
  timeout: { status: 503, message: 'the request took too long' },
} as const

export type ErrorCode = keyof typeof errors

/** The one error that is thrown on purpose; rendered once, as `{"error": message}` with the code in X-Error-Code. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string = errors[code].message, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.status = errors[code].status
    this.headers = headers
  }
}
