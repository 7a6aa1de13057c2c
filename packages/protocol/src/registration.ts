import { type Static, Type } from 'typebox'
import { MAX_MAIL_DOMAINS, MAX_PAGE, MAX_REGISTRATION_TEXT_CHARACTERS } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

/**
 * Ways to get an account. open: anyone. invite: with an invite to a space or from an operator. approval: by an
 * application that an operator approves. closed: no one.
 */
export const registrationModes = ['open', 'invite', 'approval', 'closed'] as const
export type RegistrationMode = (typeof registrationModes)[number]

/**
 * Modes that decide when a sign-up needs a solved puzzle. attack: only while unusually many accounts are created. Such an
 * attack also makes the puzzles of the mode always harder.
 */
export const puzzleModes = ['off', 'attack', 'always'] as const
export type PuzzleMode = (typeof puzzleModes)[number]

const Mode = () => Type.Unsafe<RegistrationMode>({ type: 'string', enum: registrationModes })

/** The part of the registration rules that the sign-up page needs. Only operators see the domains. */
export const InstanceRegistration = Type.Object({
  mode: Mode(),
  question: Nullable(Type.String({ description: 'for applicants, in mode approval' })),
  has_domain_rule: Type.Boolean({ description: 'whether only addresses of some mail domains are accepted' }),
})
export type InstanceRegistration = Static<typeof InstanceRegistration>

const MailDomain = () =>
  Type.String({
    trim: true,
    maxLength: 253,
    pattern: '^[\\p{L}\\p{N}]([\\p{L}\\p{N}.-]*[\\p{L}\\p{N}])?$',
    description: 'like example.org; its subdomains are not included',
  })

const settings = {
  mode: Mode(),
  question: Nullable(Text(1, MAX_REGISTRATION_TEXT_CHARACTERS)),
  domains: Type.Array(MailDomain(), {
    maxItems: MAX_MAIL_DOMAINS,
    description: 'mail domains whose addresses are accepted; empty for all',
  }),
  puzzle: Type.Unsafe<PuzzleMode>({
    type: 'string',
    enum: puzzleModes,
    description: 'when a sign-up needs a solved puzzle',
  }),
}

/** The rules for new accounts. */
export const RegistrationSettings = Type.Object(settings, { title: 'RegistrationSettings' })
export type RegistrationSettings = Static<typeof RegistrationSettings>

/** Omitted fields stay unchanged. */
export const UpdateRegistrationBody = Type.Object({
  mode: Type.Optional(settings.mode),
  question: Type.Optional(settings.question),
  domains: Type.Optional(settings.domains),
  puzzle: Type.Optional(settings.puzzle),
})
export type UpdateRegistrationBody = Static<typeof UpdateRegistrationBody>

/** An application for an account. It becomes an account with the same id, once an operator approves it. */
export const Registration = Type.Object(
  {
    id: Uuid(),
    username: Type.String(),
    alias: Nullable(Type.String()),
    email_domain: Type.String({ description: 'the part of the address after the @' }),
    question: Nullable(Type.String({ description: 'the question at that time' })),
    answer: Nullable(Type.String()),
    created_at: Timestamp(),
  },
  { title: 'Registration' },
)
export type Registration = Static<typeof Registration>

/** Applications are listed oldest first. */
export const RegistrationsQuery = Type.Object({
  after: Type.Optional(Uuid('the last one of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
})
export type RegistrationsQuery = Static<typeof RegistrationsQuery>

export const RefuseRegistrationBody = Type.Object({
  message: Type.Optional(
    Nullable(
      Type.String({
        trim: true,
        maxLength: MAX_REGISTRATION_TEXT_CHARACTERS,
        description: 'for the mail to the applicant',
      }),
    ),
  ),
})
export type RefuseRegistrationBody = Static<typeof RefuseRegistrationBody>

export const RegistrationParams = Type.Object({ registrationId: Uuid() })
