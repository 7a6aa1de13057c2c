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
  owner_cannot_leave: { status: 403, message: 'the owner cannot leave their own space' },
  not_found: { status: 404, message: 'not found' },
  unknown_user: { status: 404, message: 'user not found' },
  unknown_space: { status: 404, message: 'space not found' },
  unknown_room: { status: 404, message: 'room not found' },
  unknown_message: { status: 404, message: 'message not found' },
  unknown_member: { status: 404, message: 'member not found' },
  unknown_invite: { status: 404, message: 'invite not found' },
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
