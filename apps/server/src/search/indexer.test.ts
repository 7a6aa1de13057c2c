import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { cloneDatabase } from '#test/database.ts'
import { SearchIndexer } from './indexer.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const MAX_LOOKS = 5000
/** Looks after which answers have arrived and released clients are gone. */
const LOOKS_TO_SETTLE = 100

test('the index keeps its connection, however long there is nothing to index', async (t) => {
  const { connection, drop } = await cloneDatabase()
  const witness = new pg.Client(connection)
  await witness.connect()
  const indexer = new SearchIndexer({ connection, log: pino({ level: 'silent' }) })
  t.after(async () => {
    await Promise.all([indexer.close(), witness.end()])
    await drop()
  })
  /** Returns the connections that were used and are idle now. */
  const look = async (): Promise<number[]> => {
    const { rows } = await witness.query<{ pid: number }>(`
      select pid from pg_stat_activity where datname = current_database() and state = 'idle' and query <> ''
        and application_name = 'foyer search index'`)
    return rows.map(({ pid }) => pid)
  }
  t.mock.timers.enable({ apis: ['setTimeout'] })
  indexer.lookForMore()
  t.mock.timers.tick(SECOND_MS)
  let opened: number[] = []
  for (let looks = 0; opened.length === 0 && looks < MAX_LOOKS; looks += 1) opened = await look()
  assert.equal(opened.length, 1)
  for (let looks = 0; looks < LOOKS_TO_SETTLE; looks += 1) await look()
  t.mock.timers.tick(HOUR_MS)
  for (let looks = 0; looks < LOOKS_TO_SETTLE; looks += 1) await look()
  assert.deepEqual(await look(), opened)
})
