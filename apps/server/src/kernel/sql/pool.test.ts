import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '#test/database.ts'
import { openPool } from './pool.ts'

test('every connection has ended once a pool is closed', async (t) => {
  const database = await cloneDatabase()
  t.after(() => database.drop())
  const complaints: Error[] = []
  const { pool, close } = openPool({ ...database.connection, max: 8 }, (error) => complaints.push(error))
  const connections = { begun: 0, ended: 0 }
  pool.on('connect', (client) => {
    connections.begun += 1
    client.once('end', () => {
      connections.ended += 1
    })
  })
  await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.05)')))
  await close()
  assert.deepEqual(connections, { begun: 8, ended: 8 })
  assert.deepEqual(complaints, [])
})
