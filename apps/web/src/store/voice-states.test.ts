import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import type { VoiceState } from '@foyer/protocol/voice'
import { reduceEvent, reduceLocal } from './reducers.ts'
import { sampleReady, sampleRoom, sampleSpace, sampleVoice } from './samples.ts'
import { showsMessages } from './selectors.ts'
import { initialState, type State } from './state.ts'
import { voicesIn } from './voice-states.ts'

const rooms = [sampleRoom('lounge'), sampleRoom('studio')]

function ready(...voice_states: VoiceState[]): State {
  const spaces = [sampleSpace('space', { rooms, voice_states })]
  const inCall = sampleVoice('zoe', { space_id: null, room_id: null, conversation_id: 'talk' })
  return reduceEvent(initialState, 'READY', sampleReady({ spaces, voice_states: [inCall] }), 0)
}

function update(state: State, ...voices: VoiceState[]): State {
  return voices.reduce((before, voice) => reduceEvent(before, 'VOICE_STATE_UPDATE', voice, 0), state)
}

const idsIn = (state: State, id: string) => voicesIn(state, id).map(({ user_id }) => user_id)
const left = (voice: VoiceState) => ({ ...voice, room_id: null, conversation_id: null })
const mira = sampleVoice('mira')
const later = { joined_at: '2026-01-01T00:01:00.000Z' }

test('voice states come with READY, in the order in which users joined', () => {
  const state = update(ready(mira, sampleVoice('jonas', later)), sampleVoice('ada'))
  assert.deepEqual(idsIn(state, 'lounge'), ['ada', 'mira', 'jonas'])
  assert.deepEqual(idsIn(state, 'talk'), ['zoe'])
})

test('a user who changes rooms is in one room, in either order of the events', () => {
  const moved = sampleVoice('mira', { room_id: 'studio', session_id: 'second' })
  for (const order of [
    [left(mira), moved],
    [moved, left(mira)],
  ]) {
    const state = update(ready(mira), ...order)
    assert.deepEqual([idsIn(state, 'lounge'), idsIn(state, 'studio')], [[], ['mira']])
  }
})

test('a change of flags keeps the order, and leaving removes only that user', () => {
  const state = update(ready(mira, sampleVoice('jonas', later)), { ...mira, self_mute: true })
  assert.deepEqual(
    voicesIn(state, 'lounge').map(({ self_mute }) => self_mute),
    [true, false],
  )
  assert.deepEqual(idsIn(update(state, left(mira)), 'lounge'), ['jonas'])
})

test('a deleted room, a space sent again and READY replace voice states', () => {
  const state = ready(mira)
  const gone = reduceEvent(state, 'ROOM_DELETE', { space_id: 'space', room_id: 'lounge' }, 0)
  assert.deepEqual(idsIn(gone, 'lounge'), [])
  const replaced = sampleSpace('space', { rooms, voice_states: [sampleVoice('jonas')] })
  assert.deepEqual(idsIn(reduceEvent(state, 'SPACE_CREATE', replaced, 0), 'lounge'), ['jonas'])
  assert.deepEqual(idsIn(reduceEvent(state, 'SPACE_DELETE', { space_id: 'space' }, 0), 'lounge'), [])
  const again = reduceEvent(state, 'READY', sampleReady({ spaces: [sampleSpace('space', { rooms })] }), 0)
  assert.deepEqual([idsIn(again, 'lounge'), idsIn(again, 'talk')], [[], []])
})

test('an empty room always returns the same list', () => {
  const state = ready()
  assert.equal(voicesIn(state, 'lounge'), voicesIn(update(state, mira, left(mira)), 'lounge'))
})

test('WEB-10: messages of a voice room show while its chat is open, those of a text room always', () => {
  const both = [sampleRoom('lounge', { type: RoomType.Voice }), sampleRoom('room')]
  const sent = sampleReady({ spaces: [sampleSpace('space', { rooms: both })] })
  const state = reduceEvent(initialState, 'READY', sent, 0)
  const turned = (now: State, is_open: boolean) =>
    reduceLocal(now, 'chat_turned', { room_id: 'lounge', is_open }, 0)
  const open = turned(state, true)
  const seen = [state, open, turned(open, false)].map((now) => showsMessages(now, 'lounge'))
  assert.deepEqual(seen, [false, true, false])
  assert.equal(showsMessages(state, 'room'), true)
})
