import { type Query, sql } from '../sql/sql.ts'
import type { Event } from './bus.ts'

/** Inserts the journal rows of a change, in the change's own transaction. */
export function insertEvents(events: readonly Event[]): Query {
  return sql`
    insert into events (kind, tenant_id, channel_id, id, audience, name, data)
    select * from unnest(
      ${events.map((event) => event.topic.kind)}::text[],
      ${events.map((event) => event.topic.tenantId)}::uuid[],
      ${events.map((event) => event.topic.channelId)}::uuid[],
      ${events.map((event) => event.id)}::uuid[],
      ${events.map((event) => event.audience)}::integer[],
      ${events.map((event) => event.name)}::text[],
      ${events.map((event) => event.data)}::text[])`
}
