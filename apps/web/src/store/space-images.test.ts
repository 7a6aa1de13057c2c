import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceEvent } from './reducers.ts'
import { sampleReady, sampleSpaceImage } from './samples.ts'
import { initialState, type State } from './state.ts'

test('emojis are added, renamed in place and removed, without affecting stickers', () => {
  const both = ['wave', 'hug'].reduce(
    (state, id) => reduceEvent(state, 'SPACE_EMOJI_CREATE', sampleSpaceImage(id), 0),
    reduceEvent(ready(), 'SPACE_STICKER_CREATE', sampleSpaceImage('sun'), 0),
  )
  const renamed = reduceEvent(both, 'SPACE_EMOJI_UPDATE', sampleSpaceImage('wave', { name: 'hello' }), 0)
  assert.deepEqual(names(renamed), { emojis: ['hello', 'hug'], stickers: ['sun'] })
  const gone = reduceEvent(renamed, 'SPACE_EMOJI_DELETE', { space_id: 'space', emoji_id: 'wave' }, 0)
  assert.deepEqual(names(gone), { emojis: ['hug'], stickers: ['sun'] })
})

test('stickers are added, renamed in place and removed, without affecting emojis', () => {
  const both = ['sun', 'moon'].reduce(
    (state, id) => reduceEvent(state, 'SPACE_STICKER_CREATE', sampleSpaceImage(id), 0),
    reduceEvent(ready(), 'SPACE_EMOJI_CREATE', sampleSpaceImage('wave'), 0),
  )
  const renamed = reduceEvent(both, 'SPACE_STICKER_UPDATE', sampleSpaceImage('sun', { name: 'star' }), 0)
  assert.deepEqual(names(renamed), { emojis: ['wave'], stickers: ['star', 'moon'] })
  const gone = reduceEvent(renamed, 'SPACE_STICKER_DELETE', { space_id: 'space', sticker_id: 'sun' }, 0)
  assert.deepEqual(names(gone), { emojis: ['wave'], stickers: ['moon'] })
})

test('a duplicate event adds an emoji once', () => {
  const once = reduceEvent(ready(), 'SPACE_EMOJI_CREATE', sampleSpaceImage('wave'), 0)
  assert.deepEqual(reduceEvent(once, 'SPACE_EMOJI_CREATE', sampleSpaceImage('wave'), 0), once)
})

test('an emoji of an unknown space is ignored', () => {
  const state = ready()
  const elsewhere = sampleSpaceImage('wave', { space_id: 'elsewhere' })
  assert.equal(reduceEvent(state, 'SPACE_EMOJI_CREATE', elsewhere, 0), state)
})

function ready(): State {
  return reduceEvent(initialState, 'READY', sampleReady(), 0)
}

function names({ spaces: { space } }: State) {
  const { emojis = [], stickers = [] } = space ?? {}
  return { emojis: emojis.map(({ name }) => name), stickers: stickers.map(({ name }) => name) }
}
