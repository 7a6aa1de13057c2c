import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

/** A column with ids of users. */
export interface UserColumn {
  table: string
  column: string
}

/** Lists the columns that refer to users, recognized by their names. */
export function listUserColumns(server: RunningServer): Promise<UserColumn[]> {
  return server.deps.database.query<UserColumn>(sql`
    select relname::text as table, attname::text as column
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and not attisdropped and atttypid = 'uuid'::regtype and attname ~
      '(user|owner|author|actor|reporter|inviter|creator|friend|blocked|sender|receiver|initiator|assignee|other|moderator)_id$|_by$'
    order by relname, attname`)
}

/** Lists further columns that may refer to users: by a foreign key, in lists, or among ids of several kinds. */
export function listHiddenUserColumns(server: RunningServer): Promise<UserColumn[]> {
  return server.deps.database.query<UserColumn>(sql`
    select relname::text as table, attname::text as column
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and not attisdropped
      and (atttypid = 'uuid'::regtype and attname = 'target_id'
        or atttypid = 'uuid[]'::regtype and attname ~ '^(mention|participant|user|member)_ids$|^ringing$'
        or exists (
          select from pg_constraint
          where contype = 'f' and confrelid = 'users'::regclass and conrelid = pg_class.oid and attnum = any(conkey)))
    order by relname, attname`)
}
