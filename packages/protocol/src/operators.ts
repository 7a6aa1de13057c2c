import { type Static, Type } from 'typebox'
import { limits, MAX_OPERATOR_INVITE_AGE_SECONDS, MAX_OPERATOR_INVITE_USES, MAX_PAGE } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { Space } from './spaces.ts'
import { User } from './users.ts'

/** An account that runs the server. */
export const Operator = Type.Object(
  {
    user: User,
    granted_by: Nullable(Uuid('the operator who made them one; null for the server and its command line')),
    created_at: Timestamp(),
  },
  { title: 'Operator' },
)
export type Operator = Static<typeof Operator>

export const ClaimServerBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 512, description: 'from the link that the server printed' }),
})
export type ClaimServerBody = Static<typeof ClaimServerBody>

export const operatorActions = [
  'operator_claim',
  'operator_grant',
  'operator_revoke',
  'user_lock',
  'user_unlock',
  'user_delete',
  'user_second_factor_remove',
  'space_freeze',
  'space_unfreeze',
  'space_delete',
  'space_restore',
  'space_hold',
  'space_release',
  'registration_update',
  'login_rules_update',
  'public_pages_update',
  'registration_approve',
  'registration_refuse',
  'invite_create',
  'invite_delete',
  'report_close',
  'announcement_create',
  'announcement_update',
  'announcement_end',
  'mail_test',
  'push_test',
  'voice_test',
  'job_retry',
  'job_delete',
  'storage_survey',
  'backup_create',
] as const
export type OperatorAction = (typeof operatorActions)[number]

export const operatorTargets = [
  'user',
  'space',
  'registration',
  'invite',
  'report',
  'announcement',
  'server',
] as const
export type OperatorTarget = (typeof operatorTargets)[number]

const ActionName = () => Type.Unsafe<OperatorAction>({ type: 'string', enum: operatorActions })

/** One action of an operator. */
export const OperatorLogEntry = Type.Object(
  {
    id: Uuid(),
    actor_id: Nullable(Uuid('the operator; null for the command line of the server')),
    action: ActionName(),
    target_type: Type.Unsafe<OperatorTarget>({ type: 'string', enum: operatorTargets }),
    target_id: Nullable(Uuid('null for the server')),
    target_name: Nullable(Type.String({ description: 'its name at that time; null if it has none' })),
    details: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'fields of the change, by name',
    }),
    reason: Nullable(Type.String()),
    created_at: Timestamp(),
  },
  { title: 'OperatorLogEntry' },
)
export type OperatorLogEntry = Static<typeof OperatorLogEntry>

/** Entries, newest first. `users` contains the operators who acted and the users they acted on, each once. */
export const OperatorLogPage = Type.Object(
  { entries: Type.Array(OperatorLogEntry), users: Type.Array(User) },
  { title: 'OperatorLogPage' },
)
export type OperatorLogPage = Static<typeof OperatorLogPage>

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE }))

/** Omitted fields match every entry. */
export const OperatorLogQuery = Type.Object({
  actor_id: Type.Optional(Uuid()),
  action: Type.Optional(ActionName()),
  target_id: Type.Optional(Uuid()),
  before_id: Type.Optional(Uuid('the last entry of the previous page')),
  limit,
})
export type OperatorLogQuery = Static<typeof OperatorLogQuery>

/** An account as operators see it. No response contains its full email address. */
export const OperatorUser = Type.Object(
  {
    user: User,
    is_operator: Type.Boolean(),
    has_second_factor: Type.Boolean(),
    has_passkeys: Type.Boolean(),
    locked_at: Nullable(Timestamp('null for an account that is not locked')),
    lock_reason: Nullable(Type.String()),
  },
  { title: 'OperatorUser' },
)
export type OperatorUser = Static<typeof OperatorUser>

/** Users are listed by username, without deleted accounts. */
export const OperatorUsersQuery = Type.Object({
  query: Type.Optional(
    Type.String({
      trim: true,
      maxLength: 254,
      description: 'the beginning of a username, or a whole email address or id; omitted for all',
    }),
  ),
  locked: Type.Optional(Type.Boolean({ description: 'true for locked accounts only' })),
  after: Type.Optional(Uuid('id of the last user of the previous page')),
  limit,
})
export type OperatorUsersQuery = Static<typeof OperatorUsersQuery>

/** The reason is not shown to the user. */
export const LockBody = Type.Object({ reason: Type.Optional(Nullable(Text(0, limits.banReasonMax))) })
export type LockBody = Static<typeof LockBody>

/** A space as operators see it, without its content. */
export const OperatorSpace = Type.Object(
  {
    space: Space,
    owner: User,
    member_count: Type.Integer(),
    freeze_reason: Nullable(Type.String()),
    held_at: Nullable(
      Timestamp(
        'since when nothing in it is deleted for its age, nor purged; null for a space that is not held',
      ),
    ),
    hold_reason: Nullable(Type.String()),
    deleted_at: Nullable(Timestamp('null for a space that is not deleted')),
    restorable_until: Nullable(
      Timestamp(
        'when a deleted space is purged, unless it is held or brought back; null for any other space',
      ),
    ),
  },
  { title: 'OperatorSpace' },
)
export type OperatorSpace = Static<typeof OperatorSpace>

/** Spaces are sorted by name. Deleted spaces are listed only if the query asks for them. */
export const OperatorSpacesQuery = Type.Object({
  query: Type.Optional(
    Type.String({
      trim: true,
      maxLength: limits.nameMax,
      description: 'the beginning of a name, or a whole id of a space or of its owner; omitted for all',
    }),
  ),
  frozen: Type.Optional(Type.Boolean({ description: 'true for frozen spaces only' })),
  held: Type.Optional(
    Type.Boolean({
      description: 'true for held spaces only, including deleted ones that can be brought back',
    }),
  ),
  deleted: Type.Optional(
    Type.Boolean({ description: 'true for deleted spaces that can be brought back, and no others' }),
  ),
  after: Type.Optional(Uuid('id of the last space of the previous page')),
  limit,
})
export type OperatorSpacesQuery = Static<typeof OperatorSpacesQuery>

/** Members see that the space is frozen, but not the reason. */
export const FreezeBody = Type.Object({ reason: Type.Optional(Nullable(Text(0, limits.banReasonMax))) })
export type FreezeBody = Static<typeof FreezeBody>

/** The members see neither the hold nor the reason. */
export const HoldBody = Type.Object({ reason: Type.Optional(Nullable(Text(0, limits.banReasonMax))) })
export type HoldBody = Static<typeof HoldBody>

export const RestoreSpaceBody = Type.Object({
  owner_id: Type.Optional(
    Nullable(Uuid('a member who becomes the owner; needed when the account of the former one is deleted')),
  ),
})
export type RestoreSpaceBody = Static<typeof RestoreSpaceBody>

/** An invite to the server. Unless registration is closed, people can sign up with it in any mode. */
export const OperatorInvite = Type.Object(
  {
    id: Uuid(),
    code: Type.String(),
    note: Nullable(Type.String({ description: 'for the operators: the person it is for' })),
    max_uses: Type.Integer({ description: 'accounts that can be created with it; 0 means any number' }),
    uses: Type.Integer(),
    created_by: Nullable(Uuid('the operator; null for the command line of the server')),
    expires_at: Nullable(Timestamp()),
    created_at: Timestamp(),
  },
  { title: 'OperatorInvite' },
)
export type OperatorInvite = Static<typeof OperatorInvite>

export const CreateOperatorInviteBody = Type.Object({
  note: Type.Optional(Nullable(Text(0, limits.nameMax))),
  max_uses: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_OPERATOR_INVITE_USES, description: '1 when omitted' }),
  ),
  max_age: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OPERATOR_INVITE_AGE_SECONDS,
      description: 'seconds; 0 means valid until deleted, a week when omitted',
    }),
  ),
})
export type CreateOperatorInviteBody = Static<typeof CreateOperatorInviteBody>

export const OperatorInviteParams = Type.Object({ inviteId: Uuid() })
