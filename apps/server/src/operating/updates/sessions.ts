import type pg from 'pg'

/**
 * Lists the programs that are connected to the databases, for an operator. Some may disconnect within a moment.
 * Omits background processes of PostgreSQL, which have no user and do not block copies.
 * @param ignored application name to omit
 * @returns an empty text if there are none
 */
export async function nameSessions(
  admin: pg.Client,
  databases: readonly string[],
  ignored?: string,
): Promise<string> {
  const { rows } = await admin.query<{ words: string }>(
    `select distinct coalesce(nullif(application_name, ''), 'a program without a name') || ' of the user ' || usename
      || coalesce(' from ' || host(client_addr), '') as words
    from pg_stat_activity
    where datname::text = any($1::text[]) and usesysid is not null and application_name is distinct from $2::text
    order by words limit 5`,
    [databases, ignored ?? null],
  )
  return rows.map(({ words }) => words).join(', ')
}
