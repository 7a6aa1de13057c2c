import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fragment, fragment, sql } from './sql.ts'

const isOpen = fragment`not is_closed`
const isNewerThan = (time: string) => fragment`created_at > ${time}`
const isListed = (time: string) => fragment`${isOpen} and ${isNewerThan(time)}`
const list = (id: string, condition: Fragment) =>
  sql`select from rooms where id = ${id} and ${condition} limit ${2}`

test('values of fragments become parameters in the order of the text', () => {
  const { text, values } = list('a', isListed('today'))
  assert.equal(text, 'select from rooms where id = $1 and not is_closed and created_at > $2 limit $3')
  assert.deepEqual(values, ['a', 'today', 2])
})

test('a statement keeps its name with other values and changes it with another fragment', () => {
  const { name } = list('a', isListed('today'))
  assert.equal(list('b', isListed('yesterday')).name, name)
  const open = list('b', isOpen)
  assert.notEqual(open.name, name)
  assert.equal(open.text, 'select from rooms where id = $1 and not is_closed limit $2')
  assert.deepEqual(list('a', isListed('today')).name, name)
})

test('fragments stand at the start and the end of a statement, and beside each other', () => {
  const { text, values } = sql`${fragment`select `}${fragment`${1} + `}${fragment`${[2]}`}`
  assert.equal(text, 'select $1 + $2')
  assert.deepEqual(values, [1, [2]])
})
