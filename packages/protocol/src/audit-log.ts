import { type Static, Type } from 'typebox'
import { type AuditAction, auditActions } from './audit-actions.ts'
import { MAX_PAGE } from './limits.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

const AuditActionName = () => Type.Unsafe<AuditAction>({ type: 'string', enum: Object.keys(auditActions) })

/** The values of the changed fields, by name. */
const Fields = (description: string) =>
  Nullable(Type.Unsafe<AuditFields>({ type: 'object', additionalProperties: true, description }))

export type AuditFields = Readonly<Record<string, unknown>>

/** One change of a space. */
export const AuditLogEntry = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    actor_id: Nullable(Uuid('the user who made the change; null for the server and for a webhook')),
    action: AuditActionName(),
    target_type: Type.String({ description: 'kind of object that was changed' }),
    target_id: Uuid(),
    target_name: Nullable(Type.String({ description: 'its name at that time; null if it has none' })),
    room_id: Nullable(Uuid('the room in which it was changed; null for what is not in a room')),
    before: Fields('the changed fields before; null for what is new'),
    after: Fields('the changed fields after; null for what is gone'),
    reason: Nullable(Type.String()),
    undoes: Nullable(Uuid('the entry whose change this one undid')),
    undone_by: Nullable(Uuid('the entry that undid this one')),
    created_at: Timestamp(),
  },
  { title: 'AuditLogEntry' },
)
export type AuditLogEntry = Static<typeof AuditLogEntry>

/** `users` contains the actors and the users they changed, each once. */
export const AuditLogPage = Type.Object(
  { entries: Type.Array(AuditLogEntry), users: Type.Array(User) },
  { title: 'AuditLogPage' },
)
export type AuditLogPage = Static<typeof AuditLogPage>

/** Omitted fields match every entry. */
export const AuditLogFilter = Type.Object({
  actor_id: Type.Optional(Uuid()),
  action: Type.Optional(AuditActionName()),
  target_id: Type.Optional(Uuid()),
  after: Type.Optional(Timestamp('only entries of this time and later')),
  before: Type.Optional(Timestamp('only entries before this time')),
})
export type AuditLogFilter = Static<typeof AuditLogFilter>

export const AuditLogQuery = Type.Object({
  ...AuditLogFilter.properties,
  before_id: Type.Optional(Uuid('the last entry of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
})
export type AuditLogQuery = Static<typeof AuditLogQuery>

export const AuditLogEntryParams = Type.Object({ spaceId: Uuid(), entryId: Uuid() })
