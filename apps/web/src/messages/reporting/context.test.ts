import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_REPORT_CONTEXT } from '@foyer/protocol/limits'
import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { sampleMessage } from '#src/store/samples.ts'
import { contextAround, preselectedIn } from './context.ts'

const messageOf = (id: string, change: Partial<Message> = {}) => sampleMessage(1, { id, ...change })
const messages = Array.from({ length: 20 }, (_, index) => messageOf(String(index + 1)))
const around = (id: string, list = messages) => contextAround(list, id).map((message) => message.id)

test('REPORT-4: six messages before the reported one are offered and three after it', () => {
  assert.deepEqual(around('10'), ['4', '5', '6', '7', '8', '9', '10', '11', '12', '13'])
})

test('REPORT-4: at either end, more of the other side are offered, and never more than a report can show', () => {
  assert.deepEqual(around('20'), ['11', '12', '13', '14', '15', '16', '17', '18', '19', '20'])
  assert.deepEqual(around('2'), ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
  for (const { id } of messages) assert.equal(around(id).length, MAX_REPORT_CONTEXT + 1)
  assert.deepEqual(around('2', messages.slice(0, 3)), ['1', '2', '3'])
})

test('messages that are not on the server, and system messages, are left out', () => {
  const list = [
    messageOf('call', { type: MessageType.Call }),
    messageOf('hint', { flags: MessageFlag.Ephemeral }),
    messageOf('before'),
    messageOf('reported'),
  ]
  assert.deepEqual(around('reported', list), ['before', 'reported'])
  assert.deepEqual(around('gone', list), [])
})

test('the messages just before the reported one are preselected', () => {
  assert.deepEqual(preselectedIn(contextAround(messages, '10'), '10'), ['7', '8', '9'])
  assert.deepEqual(preselectedIn(contextAround(messages, '2'), '2'), ['1'])
  assert.deepEqual(preselectedIn(contextAround(messages, '1'), '1'), [])
  assert.deepEqual(preselectedIn([], '1'), [])
})
