import pg from 'pg'
import { COPY } from '#src/kernel/database/snapshot-names.ts'
import { type Beside, DISK_FULL, isRefusal } from './server-databases.ts'

/** Settings with lists as values, stored in SQL syntax. */
const LISTS = ['search_path', 'temp_tablespaces', 'local_preload_libraries', 'session_preload_libraries']

/**
 * Copies the database, with its owner, settings and privileges, to its name with the suffix COPY. From PostgreSQL 18 on,
 * the files are cloned: a file system with reflinks then copies instantly, and without using disk space.
 */
export async function copyDatabase(beside: Beside): Promise<void> {
  const { admin, name } = beside
  const create = await creationOf(beside)
  // Fails in earlier versions, and in builds that cannot clone.
  const isCloning = await admin.query(`set file_copy_method = 'clone'`).then(
    () => true,
    () => false,
  )
  try {
    await admin.query(create)
  } catch (error) {
    if (!isCloning || !isUnsupported(error)) throw error
    await admin.query(`set file_copy_method = 'copy'`)
    await admin.query(create)
  }
  for (const statement of await listProperties(admin, name)) await admin.query(statement)
}

async function creationOf({ admin, name }: Beside): Promise<string> {
  const { rows } = await admin.query<{ text: string }>(
    `select format('create database %I template %I owner %I strategy file_copy connection limit %s',
      datname || $2, datname, pg_get_userbyid(datdba), datconnlimit) as text
    from pg_database where datname::text = $1`,
    [name, COPY],
  )
  return rows[0]?.text ?? ''
}

/**
 * Returns true if the error may mean that files cannot be cloned here, for example between disks. Its text does not show
 * this, because it depends on PostgreSQL's language.
 */
function isUnsupported(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== DISK_FULL && !isRefusal(error)
}

/**
 * Returns statements that copy properties CREATE DATABASE omits: settings, including those of roles, and privileges.
 */
async function listProperties(admin: pg.Client, name: string): Promise<string[]> {
  const { rows } = await admin.query<{ text: string }>(
    `with origin as (
      select oid, datname || $2 as copy, datdba, datacl from pg_database where datname::text = $1
    ), settings as (
      select copy, setrole, split_part(entry, '=', 1) as parameter, substring(entry from position('=' in entry) + 1) as value
      from origin join pg_db_role_setting on setdatabase = origin.oid, unnest(setconfig) as entry
    ), statements as (
      select 1 as step, case setrole
          when 0 then format('alter database %I', copy)
          else format('alter role %I in database %I', pg_get_userbyid(setrole), copy)
        end || format(' set %I to %s', parameter,
          case when parameter = any($3) then value else quote_literal(value) end) as text
      from settings
      union all
      select 2, format('revoke all on database %I from public', copy) from origin where datacl is not null
      union all
      select 3, format('grant %s on database %I to %s', privilege_type, copy,
          case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
        || case when is_grantable then ' with grant option' else '' end
      from origin, aclexplode(datacl) where grantee <> datdba
    )
    select text from statements order by step, text`,
    [name, COPY, LISTS],
  )
  return rows.map(({ text }) => text)
}
