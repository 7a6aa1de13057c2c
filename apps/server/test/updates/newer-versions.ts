import { copyFile, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { ask, MIGRATIONS } from './old-databases.ts'

/** Lists the migrations of this version. */
export async function listNew(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).sort()
}

/** Makes a folder with the migrations of this version and further ones. */
export async function folderWith(parent: string, more: Readonly<Record<string, string>>): Promise<string> {
  const made = await mkdtemp(join(parent, 'migrations-'))
  for (const name of await listNew()) await copyFile(join(MIGRATIONS, name), join(made, name))
  for (const [name, text] of Object.entries(more)) await writeFile(join(made, name), text)
  return made
}

/**
 * Creates a role without rights, and makes it the owner of a database and of everything in it.
 * @returns the role's name
 */
export async function giveToRole(connection: pg.ClientConfig): Promise<string> {
  const [self] = await ask<{ name: string }>(connection, 'select current_database() as name')
  const role = `${self?.name}_owner`
  await ask(
    connection,
    `create role ${role} login password 'secret'; alter database ${self?.name} owner to ${role};
    do $$ declare t record; begin
      for t in select c.oid::regclass as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      loop execute format('alter table %s owner to ${role}', t.name); end loop;
      for t in select oid::regprocedure as name from pg_proc where pronamespace = 'public'::regnamespace and proowner = 10
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      loop execute format('alter routine %s owner to ${role}', t.name); end loop;
    end $$;
    alter schema public owner to ${role}`,
  )
  return role
}

/** Returns the connection options of a role made by `giveToRole`. */
export function as(role: string, connection: pg.ClientConfig): pg.ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, user: role, password: 'secret' }
  const url = new URL(connection.connectionString)
  url.username = role
  url.password = 'secret'
  return { ...connection, connectionString: url.href }
}
