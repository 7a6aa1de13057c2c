import type { LoginAnswer } from '@foyer/protocol/auth'
import { Applications } from './api/applications.ts'
import { Attachments } from './api/attachments.ts'
import { AuditLog } from './api/audit-log.ts'
import { Auth } from './api/auth.ts'
import { Bans } from './api/bans.ts'
import { Buckets } from './api/buckets.ts'
import { Calls } from './api/calls.ts'
import { Conversations } from './api/conversations.ts'
import { DoorControl } from './api/door.ts'
import { Emojis } from './api/emojis.ts'
import { Friends } from './api/friends.ts'
import { Instance } from './api/instance.ts'
import { Interactions } from './api/interactions.ts'
import { Invites } from './api/invites.ts'
import { Members } from './api/members.ts'
import { Mentions } from './api/mentions.ts'
import { Messages } from './api/messages.ts'
import { Notifications } from './api/notifications.ts'
import { Overwrites } from './api/overwrites.ts'
import { Pins } from './api/pins.ts'
import { Reactions } from './api/reactions.ts'
import { Roles } from './api/roles.ts'
import { Rooms } from './api/rooms.ts'
import { Search } from './api/search.ts'
import { Spaces } from './api/spaces.ts'
import { Stickers } from './api/stickers.ts'
import { Users } from './api/users.ts'
import { VoiceChecks } from './api/voice-checks.ts'
import { Webhooks } from './api/webhooks.ts'
import { BotCredentials, SessionCredentials, type SessionOptions } from './credentials.ts'
import { Gateway } from './gateway.ts'
import type { GatewayTimings } from './gateway-timings.ts'
import type { RateLimitWait } from './rate-limit.ts'
import { Rest, type RetryPolicy } from './rest.ts'

export interface ClientOptions extends SessionOptions {
  /** Address of the server, without `/api`: `https://chat.example.org`. */
  baseUrl: string
  /** A bot's token, used instead of a person's tokens. */
  botToken?: string
  retry?: Partial<RetryPolicy>
  /** Called when a request waits after a 429, so that an app can show how long. */
  onRateLimitWait?: (wait: RateLimitWait) => void
  gatewayTimings?: Partial<GatewayTimings>
  /** Kinds of events that the gateway sends only to clients that ask for them: `threads`, `forums`. */
  capabilities?: string[]
}

/** A person's or bot's client for one server. */
export class Client {
  readonly instance: Instance
  readonly auth: Auth
  readonly users: Users
  readonly friends: Friends
  readonly applications: Applications
  readonly spaces: Spaces
  readonly roles: Roles
  readonly rooms: Rooms
  readonly overwrites: Overwrites
  readonly invites: Invites
  readonly members: Members
  readonly bans: Bans
  readonly auditLog: AuditLog
  readonly door: DoorControl
  readonly mentions: Mentions
  readonly messages: Messages
  readonly attachments: Attachments
  readonly buckets: Buckets
  readonly emojis: Emojis
  readonly stickers: Stickers
  readonly calls: Calls
  readonly conversations: Conversations
  readonly interactions: Interactions
  readonly notifications: Notifications
  readonly pins: Pins
  readonly reactions: Reactions
  readonly search: Search
  readonly voiceChecks: VoiceChecks
  readonly webhooks: Webhooks
  readonly gateway: Gateway
  readonly #rest: Rest
  readonly #baseUrl: string

  constructor(options: ClientOptions) {
    const session = new SessionCredentials(options, ({ refresh_token, session_token, access_token }) =>
      rest.request<LoginAnswer>({
        method: 'POST',
        path: '/api/auth/refresh',
        // The third part of a token is its session id.
        body: { refresh_token, session_token, session_id: access_token.split('.')[2] },
        anonymous: true,
        cookies: options.cookies,
      }),
    )
    const credentials = options.botToken === undefined ? session : new BotCredentials(options.botToken)
    const rest = new Rest(options.baseUrl, credentials, options)
    this.#rest = rest
    this.instance = new Instance(rest)
    this.auth = new Auth(rest, session)
    this.users = new Users(rest)
    this.friends = new Friends(rest)
    this.applications = new Applications(rest)
    this.spaces = new Spaces(rest)
    this.roles = new Roles(rest)
    this.rooms = new Rooms(rest)
    this.overwrites = new Overwrites(rest)
    this.invites = new Invites(rest)
    this.members = new Members(rest)
    this.bans = new Bans(rest)
    this.auditLog = new AuditLog(rest)
    this.door = new DoorControl(rest)
    this.mentions = new Mentions(rest)
    this.messages = new Messages(rest)
    this.attachments = new Attachments(rest)
    this.buckets = new Buckets(rest)
    this.emojis = new Emojis(rest)
    this.stickers = new Stickers(rest)
    this.calls = new Calls(rest)
    this.conversations = new Conversations(rest)
    this.interactions = new Interactions(rest)
    this.notifications = new Notifications(rest)
    this.pins = new Pins(rest)
    this.reactions = new Reactions(rest)
    this.search = new Search(rest)
    this.voiceChecks = new VoiceChecks(rest)
    this.webhooks = new Webhooks(rest)
    this.gateway = new Gateway(options.baseUrl, credentials, {
      timings: options.gatewayTimings,
      capabilities: options.capabilities,
    })
    this.#baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  }

  /**
   * Creates an `api/` class that the client does not import by itself, for example one for operators:
   * `client.api(Reports).listOwn()`. Apps without that import do not bundle the class.
   */
  api<T>(Methods: new (rest: Rest) => T): T {
    return new Methods(this.#rest)
  }

  /** Returns the full address of a file. The server gives only a path for its own files. */
  addressOf(url: string): string {
    return url.startsWith('/') ? this.#baseUrl + url : url
  }
}
