import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleDoor } from '#src/store/samples.ts'
import { doorSentence, waitingSentence } from './door-words.ts'

const closed = sampleDoor({ closed_at: '2026-03-01T10:00:00.000Z', cause: 'moderator' })

test('DOOR-41: a sentence says whether the door is closed, by whom, and why', () => {
  assert.equal(doorSentence(sampleDoor(), null), 'The door is open.')
  assert.equal(doorSentence(closed, 'Mira'), 'Mira closed the door.')
  assert.equal(doorSentence(closed, null), 'The door is closed.')
  assert.equal(
    doorSentence({ ...closed, cause: 'joins' }, null),
    'The door closed by itself: many people joined within a minute.',
  )
  assert.equal(
    doorSentence({ ...closed, cause: 'messages' }, null),
    'The door closed by itself: new members wrote many messages at once.',
  )
})

test('DOOR-41: people who wait are counted, also once the door is open again', () => {
  assert.equal(waitingSentence(closed), 'No one is waiting.')
  assert.equal(waitingSentence({ ...closed, newcomers: 1 }), '1 person is waiting.')
  assert.equal(waitingSentence(sampleDoor({ newcomers: 1204 })), '1,204 people are still waiting.')
  assert.equal(waitingSentence(sampleDoor()), undefined)
})
