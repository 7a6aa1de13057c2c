import type { Embed } from '@foyer/protocol/embeds'
import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { Unfurled } from './unfurling.ts'

/** Returns a recent result of `unfurl` for the link; undefined if there is none. */
export async function findPreview(database: Queryable, urlHash: Buffer): Promise<Unfurled | undefined> {
  const [row] = await database.query<{ embed: Embed | null; is_trouble: boolean }>(sql`
    select embed, is_trouble from link_previews where url_hash = ${urlHash} and expires_at > now()`)
  if (row === undefined) return undefined
  if (row.is_trouble) return { kind: 'trouble' }
  return row.embed === null ? { kind: 'nothing' } : { kind: 'embed', embed: row.embed }
}

export async function savePreview(
  database: Database,
  urlHash: Buffer,
  { unfurled, keptSeconds }: { unfurled: Unfurled; keptSeconds: number },
): Promise<void> {
  const embed = unfurled.kind === 'embed' ? JSON.stringify(unfurled.embed) : null
  await database.execute(sql`
    insert into link_previews (url_hash, embed, is_trouble, expires_at)
    values (${urlHash}, ${embed}, ${unfurled.kind === 'trouble'}, now() + make_interval(secs => ${keptSeconds}))
    on conflict (url_hash) do update
      set embed = excluded.embed, is_trouble = excluded.is_trouble, expires_at = excluded.expires_at`)
}

export async function deleteExpiredPreviews(database: Database): Promise<void> {
  await database.execute(sql`
    delete from link_previews where ctid = any(array(
      select ctid from link_previews where expires_at < now() limit 5000))`)
}
