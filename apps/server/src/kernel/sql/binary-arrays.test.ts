import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '#test/database.ts'
import { newId } from '../ids.ts'
import { textArray, timeArray, uuidArray } from './binary-arrays.ts'

const texts = ['', 'plain', null, '"quoted", \\ {braced} and\nbroken', 'Größe 👍🏽 語']
const times = ['1969-07-20T20:17:40.001Z', '2000-01-01T00:00:00.000Z', '2026-11-21T10:20:30.999Z']

test('an array sent in binary arrives like one sent as text', async (t) => {
  const { connection, drop } = await cloneDatabase()
  t.after(drop)
  const client = new pg.Client(connection)
  await client.connect()
  const ids = [newId(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  const as = (type: string, bytes: Buffer, list: readonly (string | null)[]) =>
    client.query({
      text: `select $1::${type}[] = $2::${type}[] as same, cardinality($1::${type}[])`,
      values: [bytes, list],
    })
  const answers = [
    await as('uuid', uuidArray(ids), ids),
    await as('text', textArray(texts), texts),
    await as('timestamptz', timeArray(times), times),
    await as('uuid', uuidArray([]), []),
  ]
  await client.end()
  assert.deepEqual(
    answers.map(({ rows }) => rows[0]),
    [3, 5, 3, 0].map((cardinality) => ({ same: true, cardinality })),
  )
})
