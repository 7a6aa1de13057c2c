import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '#test/database.ts'
import { PipelinedReader } from './pipelined-reader.ts'
import { sql } from './sql.ts'

test('short reads overtake a long one, on the connections that nobody waits for', async (t) => {
  const database = await cloneDatabase()
  const holder = new pg.Client(database.connection)
  await holder.connect()
  await holder.query('select pg_advisory_lock(1)')
  const reader = new PipelinedReader(database.connection, () => undefined)
  t.after(async () => {
    await Promise.all([holder.end(), reader.close()])
    await database.drop()
  })
  let isOver = false
  const long = reader.query(sql`select pg_advisory_lock_shared(1)`).then(() => {
    isOver = true
  })
  for (let count = 0; count < 6; count += 1) await reader.query(sql`select 1`)
  assert.equal(isOver, false)
  await holder.query('select pg_advisory_unlock(1)')
  await long
})
