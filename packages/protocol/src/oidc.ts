import { type Static, Type } from 'typebox'
import { SigninBody } from './auth.ts'
import { Nullable, Timestamp } from './schema.ts'
import { GivenCode } from './users.ts'

/** A sign-in provider (OpenID Connect), for the sign-in page. */
export const SignInProvider = Type.Object(
  { id: Type.String(), name: Type.String() },
  { title: 'SignInProvider' },
)
export type SignInProvider = Static<typeof SignInProvider>

/** The ways to log in to a server. */
export const InstanceLogin = Type.Object({
  passwords: Type.Boolean({ description: 'whether a password logs in; if not, only the providers do' }),
  providers: Type.Array(SignInProvider),
})
export type InstanceLogin = Static<typeof InstanceLogin>

/** Query of the page that sends the browser to the provider. */
export const ProviderStartQuery = Type.Object({
  next: Type.Optional(
    Type.String({ maxLength: 512, description: 'path of this server to open in the end, like /invite/abc' }),
  ),
})
export type ProviderStartQuery = Static<typeof ProviderStartQuery>

export const ProviderParams = Type.Object({ provider: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }) })

const ticketStates = ['linked', 'applied', 'unknown'] as const
type TicketState = (typeof ticketStates)[number]

/** An identity that a provider has just confirmed to this browser. */
export const SignInTicket = Type.Object(
  {
    provider: SignInProvider,
    state: Type.Unsafe<TicketState>({
      type: 'string',
      enum: ticketStates,
      description:
        '`linked` to an account; `applied`: an operator has not approved the account yet; `unknown`: for a new account, or to be linked',
    }),
    username: Nullable(Type.String({ description: 'a suggestion; may be in use already' })),
    masked_email: Nullable(
      Type.String({
        description: 'the address that the provider has verified, like m•••a@example.org; null without one',
      }),
    ),
    next: Type.String({ description: 'path to open in the end' }),
  },
  { title: 'SignInTicket' },
)
export type SignInTicket = Static<typeof SignInTicket>

export const ProviderLoginBody = Type.Object({
  code: Type.Optional(GivenCode('needed by accounts with a second factor')),
})
export type ProviderLoginBody = Static<typeof ProviderLoginBody>

const { username, email, birthdate, alias, invite, answer } = SigninBody.properties

export const ProviderSignupBody = Type.Object({
  ...{ username, birthdate, alias, invite, answer },
  email: Type.Optional(email),
})
export type ProviderSignupBody = Static<typeof ProviderSignupBody>

export const ProviderStart = Type.Object(
  { url: Type.String({ description: 'page of the provider to open in this browser' }) },
  { title: 'ProviderStart' },
)
export type ProviderStart = Static<typeof ProviderStart>

const Identity = Type.Object(
  {
    provider: SignInProvider,
    name: Nullable(Type.String({ description: 'the username there' })),
    created_at: Timestamp(),
  },
  { title: 'Identity' },
)
export type Identity = Static<typeof Identity>

export const ProviderLogout = Type.Object(
  {
    url: Nullable(
      Type.String({ description: 'page of the provider to open after Log Out; null without such a page' }),
    ),
  },
  { title: 'ProviderLogout' },
)
export type ProviderLogout = Static<typeof ProviderLogout>

export const OwnIdentities = Type.Object(
  {
    has_password: Type.Boolean(),
    identities: Type.Array(Identity),
    session_provider: Nullable({ ...SignInProvider, description: 'the provider that opened this session' }),
  },
  { title: 'OwnIdentities' },
)
export type OwnIdentities = Static<typeof OwnIdentities>
