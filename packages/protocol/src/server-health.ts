import { type Static, Type } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schema.ts'

/** Maximum number of points in a series. */
export const MAX_HEALTH_POINTS = 288
/** Hours for which samples are kept. */
export const HEALTH_HOURS = 24

/** A count. If counting all rows takes too long, `precision` says that the count is about, or at least, this number. */
export const ServerCount = Type.Object(
  {
    count: Type.Integer(),
    precision: Type.Unsafe<'exact' | 'about' | 'at_least'>({
      type: 'string',
      enum: ['exact', 'about', 'at_least'],
    }),
  },
  { title: 'ServerCount' },
)
export type ServerCount = Static<typeof ServerCount>

/** A process with a heartbeat in the last two minutes. */
export const ServerProcess = Type.Object(
  {
    id: Uuid(),
    version: Type.String(),
    services: Type.Array(Type.String()),
    connections: Type.Integer({ description: 'open gateway connections, at most a minute ago' }),
    started_at: Timestamp(),
    seen_at: Timestamp(),
  },
  { title: 'ServerProcess' },
)
export type ServerProcess = Static<typeof ServerProcess>

/** The database from before an update, or after a rollback. */
export const UpdateSnapshot = Type.Object(
  {
    kind: Type.Unsafe<'before' | 'after'>({
      type: 'string',
      enum: ['before', 'after'],
      description: 'before an update, or after it: then from the rollback',
    }),
    version: Nullable(Type.String({ description: 'null for a version that did not record itself' })),
    made_at: Timestamp(),
    kept_until: Timestamp(),
    bytes: Type.Integer(),
  },
  { title: 'UpdateSnapshot' },
)
export type UpdateSnapshot = Static<typeof UpdateSnapshot>

export const ServerOverview = Type.Object(
  {
    version: Type.String(),
    last_migration: Type.String({ description: 'name of the newest change of the database' }),
    people: ServerCount,
    active_day: Nullable(
      Type.Integer({ description: 'people who were active within a day; null before the first count' }),
    ),
    active_week: Nullable(Type.Integer()),
    active_at: Nullable(Timestamp('when they were counted, which happens once an hour')),
    spaces: ServerCount,
    messages: ServerCount,
    storage_bytes: ServerCount,
    in_voice: Type.Integer(),
    connections: Type.Integer(),
    /** Oldest first. */
    processes: Type.Array(ServerProcess),
    snapshot: Nullable(UpdateSnapshot),
  },
  { title: 'ServerOverview' },
)
export type ServerOverview = Static<typeof ServerOverview>

export const HealthQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: HEALTH_HOURS,
      default: HEALTH_HOURS,
      description: 'length of the period',
    }),
  ),
})
export type HealthQuery = Static<typeof HealthQuery>

const Series = (description: string) => Type.Array(Nullable(Type.Number()), { description })

/** Figures of all processes together, oldest first. Null stands for a time without a running process. */
export const ServerHealth = Type.Object(
  {
    since: Timestamp('beginning of the first point'),
    step_seconds: Type.Integer({ description: 'from one point to the next' }),
    connections: Series('open gateway connections'),
    requests: Series('requests in a minute'),
    errors: Series('requests in a minute that failed with 5xx'),
    messages: Series('messages written in a minute'),
    p50_ms: Series('time within which half of the requests were answered'),
    p99_ms: Series('time within which 99 of 100 requests were answered; 5000 also for longer'),
    cpu: Series('processors in use'),
    memory_bytes: Series('memory of the processes'),
    lag_ms: Series('how late the event loop was, at worst'),
    database_bytes: Series('size of the database, measured once an hour'),
  },
  { title: 'ServerHealth' },
)
export type ServerHealth = Static<typeof ServerHealth>
