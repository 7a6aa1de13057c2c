import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { cloneDatabase } from '#test/database.ts'
import { PipelinedReader } from './pipelined-reader.ts'
import { sql } from './sql.ts'

test('a long result arrives in turns, so that other work runs in between', async (t) => {
  const database = await cloneDatabase()
  const bytesOfTurns = [0]
  const count = (chunk: Buffer) => bytesOfTurns.push((bytesOfTurns.pop() ?? 0) + chunk.length)
  const stream = () => new Socket().on('data', count)
  const reader = new PipelinedReader({ ...database.connection, stream }, () => undefined)
  t.after(async () => {
    await reader.close()
    await database.drop()
  })
  const countTurns = () => {
    bytesOfTurns.push(0)
    turn = setImmediate(countTurns)
  }
  let turn = setImmediate(countTurns)
  t.after(() => clearImmediate(turn))
  const { rows } = await reader.query(sql`select repeat('x', 1000) from generate_series(1, 10_000)`)
  assert.equal(rows.length, 10_000)
  assert.ok(Math.max(...bytesOfTurns) < 128 * 1024, `${Math.max(...bytesOfTurns)} bytes in one turn`)
})
