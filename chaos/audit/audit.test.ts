import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName } from '@foyer/protocol/events'
import { Opcode } from '@foyer/protocol/gateway'
import { parseFrame } from '@foyer/sdk/frames'
import { Subscribers } from '@foyer/sdk/subscribers'
import { Recorder } from '../listening/recorder.ts'
import { type Entry, editedContent, Ledger } from '../world/ledger.ts'
import { Sights } from '../world/sight.ts'
import { auditDeliveries } from './deliveries.ts'
import { Findings } from './findings.ts'
import { auditHistory, auditPages } from './history.ts'
import type { Stored, StoredMessage } from './stored.ts'
import { compareViews } from './views.ts'

const ROOM = 'room'

test('a run without errors has no findings', () => {
  const stage = openStage()
  for (const _message of [1, 2, 3]) stage.say()
  assert.deepEqual(stage.audit(), {})
})

test('an acknowledged message that is not stored is lost', () => {
  const stage = openStage()
  const [first] = [stage.say(), stage.say()]
  stage.rows.splice(
    stage.rows.findIndex(({ id }) => id === first.id),
    1,
  )
  assert.deepEqual(stage.audit(), { lost: 2 })
})

test('a message that one client did not receive is lost, with or without later ones', () => {
  const stage = openStage()
  stage.say({ receivedBy: ['ann'] })
  stage.say()
  stage.say({ receivedBy: ['bob'] })
  // Each is missing at its seq, and to the client that could see the room all the time.
  assert.deepEqual(stage.audit(), { lost: 4 })
})

test('a message that is stored, answered or delivered twice is doubled', () => {
  const stored = openStage()
  const entry = stored.say()
  stored.rows.push({ ...rowOf(entry), id: 'twin', seq: 2 })
  stored.lastSeq = 2
  assert.equal(stored.audit().doubled, 2)

  const answered = openStage()
  const twice = answered.say()
  answered.ledger.acknowledge(twice, { ...rowOf(twice), id: 'twin', seq: 2 })
  assert.deepEqual(answered.audit(), { doubled: 1 })

  const repeated = openStage()
  const again = repeated.say()
  repeated.receive('ann', 'MESSAGE_CREATE', again)
  assert.deepEqual(repeated.audit(), { doubled: 1 })
})

test('messages that arrive in another order are unordered, and not lost', () => {
  const stage = openStage()
  const [first, second] = [stage.say({ receivedBy: ['bob'] }), stage.say({ receivedBy: ['bob'] })]
  stage.receive('ann', 'MESSAGE_CREATE', second)
  stage.receive('ann', 'MESSAGE_CREATE', first)
  assert.deepEqual(stage.audit(), { unordered: 1 })
})

test('only messages sent after the loss of their room are leaked', async () => {
  const stage = openStage()
  const before = stage.say({ receivedBy: ['bob'] })
  await tick()
  stage.sights.set('ann', ROOM, 'no')
  await tick()
  stage.receive('ann', 'MESSAGE_CREATE', before)
  assert.deepEqual(stage.audit(), {})
  const after = stage.say({ receivedBy: ['bob'] })
  stage.receive('ann', 'MESSAGE_CREATE', after)
  assert.deepEqual(stage.audit(), { leaked: 1 })
})

test('while access to a room changes, its messages may arrive or not', async () => {
  const stage = openStage()
  stage.sights.set('ann', ROOM, 'either')
  await tick()
  stage.receive('ann', 'MESSAGE_CREATE', stage.say({ receivedBy: ['bob'] }))
  stage.sights.set('ann', ROOM, 'no')
  stage.emit('ann', 'ROOM_DELETE', { space_id: 'space', room_id: ROOM })
  stage.say({ receivedBy: ['bob'] })
  assert.deepEqual(stage.audit(), {})
})

test('a client that returns to a room receives messages after the announced seq', () => {
  const stage = openStage()
  stage.say({ receivedBy: ['bob'] })
  stage.emit('ann', 'ROOM_DELETE', { space_id: 'space', room_id: ROOM })
  stage.sights.set('ann', ROOM, 'either')
  stage.emit('ann', 'ROOM_CREATE', room(1))
  stage.say({ receivedBy: ['bob'] })
  stage.say()
  assert.deepEqual(stage.audit(), { lost: 1 })
})

test('a message with other content is altered', () => {
  const stage = openStage()
  const entry = stage.say({ receivedBy: ['bob'] })
  stage.receive('ann', 'MESSAGE_CREATE', { ...entry, content: `${entry.content}!` })
  assert.deepEqual(stage.audit(), { altered: 1 })

  const stored = openStage()
  stored.say()
  stored.rows.push({ channelId: ROOM, id: 'stray', seq: 2, authorId: 'eve', content: 'hello' })
  stored.lastSeq = 2
  assert.deepEqual(stored.audit(), { altered: 1, lost: 2 })
})

test('an acknowledged edit or deletion that is not stored is lost, and diverged for clients that received it', () => {
  const stage = openStage()
  const [edited, deleted] = [stage.say(), stage.say()]
  edited.edits.push(performance.now())
  edited.ackedEdit = 0
  deleted.deletion = 'acknowledged'
  for (const who of ['ann', 'bob']) {
    stage.receive(who, 'MESSAGE_UPDATE', { ...edited, content: editedContent(edited, 0) })
    stage.receive(who, 'MESSAGE_DELETE', deleted)
  }
  assert.deepEqual(stage.audit(), { lost: 2, diverged: 4 })
})

test('a seq without a stored or deleted message is lost', () => {
  const stage = openStage()
  stage.say()
  stage.lastSeq = 2
  assert.equal(stage.audit().lost, 3)
})

test('history that leaves out, repeats or changes a message is found', () => {
  const stage = openStage()
  const rows = [stage.say(), stage.say(), stage.say()].map(rowOf)
  const [first, second, third] = rows
  assert.ok(first && second && third)
  const found = (pages: StoredMessage[]) => {
    const findings = new Findings()
    auditPages(ROOM, pages, stage.stored(), findings)
    return countsOf(findings)
  }
  assert.deepEqual(found(rows), {})
  assert.deepEqual(found([first, third]), { lost: 1 })
  assert.deepEqual(found([...rows, third]), { doubled: 1 })
  assert.deepEqual(found([first, { ...second, content: 'other' }, third]), { altered: 1 })
})

test('a client whose view differs from READY has diverged', () => {
  const findings = new Findings()
  const ann = { userId: 'ann', trace: [] }
  compareViews(ann, ['a', 'b'], ['a', 'b'], findings)
  assert.equal(findings.total, 0)
  compareViews(ann, ['a', 'b'], ['a'], findings)
  compareViews(ann, ['a'], ['a', 'b'], findings)
  assert.deepEqual(countsOf(findings), { diverged: 2 })
})

/** A room that Ann and Bob can both see. */
function openStage() {
  const findings = new Findings()
  const ledger = new Ledger(findings)
  const sights = new Sights()
  const tally = { journaled: 0, deliveries: 0, old: 0, resumes: 0, replayed: 0, readies: 0 }
  const wires = new Map(['ann', 'bob'].map((userId) => [userId, new Subscribers()]))
  const recorders = [...wires].map(([userId, wire]) => {
    sights.set(userId, ROOM, 'yes')
    const gateway = { onAny: wire.onAny.bind(wire), onState: () => () => true }
    return new Recorder(gateway, { userId, capabilities: [], ledger, sights, findings, tally })
  })
  const rows: StoredMessage[] = []
  const emit = (userId: string, name: EventName, data: object) => dispatch(wires.get(userId), name, data)
  const receive = (userId: string, name: EventName, entry: Entry) => emit(userId, name, eventOf(entry))
  const stage = { ledger, sights, rows, lastSeq: 0, emit, receive, say, stored, audit }
  emit('ann', 'READY', { spaces: [], conversations: [room(0)] })
  emit('bob', 'READY', { spaces: [], conversations: [room(0)] })
  return stage

  function say({ receivedBy = ['ann', 'bob'] } = {}): Entry {
    const entry = ledger.begin(ROOM, 'eve', 'hello')
    stage.lastSeq += 1
    const row = rowOf({ ...entry, id: `message ${stage.lastSeq}`, seq: stage.lastSeq })
    rows.push(row)
    ledger.acknowledge(entry, row)
    for (const userId of receivedBy) receive(userId, 'MESSAGE_CREATE', entry)
    return entry
  }

  function stored(): Stored {
    return {
      messages: new Map([[ROOM, rows]]),
      byId: new Map(rows.map((row) => [row.id, row])),
      reactions: new Map(),
      lastSeqs: new Map([[ROOM, stage.lastSeq]]),
      failedJobs: 0,
    }
  }

  /** Counts the findings by kind. */
  function audit() {
    auditHistory(ledger, stored(), findings)
    auditDeliveries(recorders, { ledger, sights, stored: stored(), findings })
    return countsOf(findings)
  }
}

function dispatch(wire: Subscribers | undefined, name: EventName, data: object): void {
  const frame = parseFrame(JSON.stringify({ op: Opcode.Dispatch, t: name, d: data }))
  if (frame?.op === Opcode.Dispatch) wire?.emit(frame)
}

function eventOf({ id, seq, content, authorId }: Entry) {
  return { id, seq, content, author: { id: authorId }, room_id: ROOM, conversation_id: null }
}

function room(lastSeq: number) {
  return { id: ROOM, space_id: 'space', last_seq: lastSeq, recipients: [] }
}

function rowOf({ id = '', seq = 0, channelId, authorId, content }: Entry): StoredMessage {
  return { id, seq, channelId, authorId, content }
}

/** Waits until the clock of the run advances. */
function tick(): Promise<void> {
  return sleep(2)
}

function countsOf(findings: Findings): Partial<Record<string, number>> {
  return Object.fromEntries(Object.entries(findings.counts()).filter(([, count]) => count > 0))
}
