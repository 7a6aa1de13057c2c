import type { LoginResult } from '@foyer/protocol/auth'
import { Auth } from './api/auth.ts'
import { Invites } from './api/invites.ts'
import { Members } from './api/members.ts'
import { Messages } from './api/messages.ts'
import { Rooms } from './api/rooms.ts'
import { Spaces } from './api/spaces.ts'
import { Users } from './api/users.ts'
import { BotCredentials, SessionCredentials, type SessionOptions } from './credentials.ts'
import { Gateway, type GatewayTimings } from './gateway.ts'
import { Rest, type RetryPolicy } from './rest.ts'

export interface ClientOptions extends SessionOptions {
  /** Where the server is, without a trailing `/api`: `https://chat.example.org`. */
  baseUrl: string
  /** A bot's token; tokens of a person are then not used. */
  botToken?: string
  retry?: Partial<RetryPolicy>
  gatewayTimings?: Partial<GatewayTimings>
}

/** A person or a bot at one server. */
export class Client {
  readonly auth: Auth
  readonly users: Users
  readonly spaces: Spaces
  readonly rooms: Rooms
  readonly invites: Invites
  readonly members: Members
  readonly messages: Messages
  readonly gateway: Gateway

  constructor(options: ClientOptions) {
    const session = new SessionCredentials(options, ({ refresh_token, session_token }) =>
      rest.request<LoginResult>({
        method: 'POST',
        path: '/api/auth/refresh',
        body: { refresh_token, session_token },
        anonymous: true,
      }),
    )
    const credentials = options.botToken === undefined ? session : new BotCredentials(options.botToken)
    const rest = new Rest(options.baseUrl, credentials, options.retry)
    this.auth = new Auth(rest, session)
    this.users = new Users(rest)
    this.spaces = new Spaces(rest)
    this.rooms = new Rooms(rest)
    this.invites = new Invites(rest)
    this.members = new Members(rest)
    this.messages = new Messages(rest)
    this.gateway = new Gateway(options.baseUrl, credentials, options.gatewayTimings)
  }
}
