import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSpaceImage } from '#src/store/samples.ts'
import { groupEmojis } from './emoji-data.ts'
import { foundGroups, tileGroups } from './tiles.ts'

const wave = {
  unicode: '👋',
  label: 'waving hand',
  group: 1,
  skins: [{ hexcode: '1F44B-1F3FB', unicode: '👋🏻' }],
}
const source = {
  groups: groupEmojis([{ unicode: '😀', label: 'grinning face', group: 0 }, wave]),
  images: [sampleSpaceImage('tent', { name: 'camp' })],
  spaceName: 'Hikers',
  tone: 1,
}

test('what was used last comes first, then the emojis of the space, and empty groups are left out', () => {
  const groups = tileGroups(source, ['👋', 'tent'])
  assert.deepEqual(
    groups.map(({ label, tiles }) => [label, tiles.map(({ text }) => text)]),
    [
      ['Recently used', ['👋🏻', '<:camp:tent>']],
      ['Hikers', ['<:camp:tent>']],
      ['Smileys & emotion', ['😀']],
      ['People & body', ['👋🏻']],
    ],
  )
})

test('what was used elsewhere and is not here is not offered', () => {
  assert.equal(
    tileGroups(source, ['gone']).some(({ id }) => id === 'recent'),
    false,
  )
})

test('a search finds the emojis of the space before the others, in the chosen tone', () => {
  const both = { ...source, images: [sampleSpaceImage('w', { name: 'wavy', attachment_id: 'picture' })] }
  assert.deepEqual(
    foundGroups(both, 'wav').map(({ label, tiles }) => [label, tiles.map(({ text }) => text)]),
    [
      ['Hikers', ['<:wavy:w>']],
      ['Emojis', ['👋🏻']],
    ],
  )
  assert.equal(foundGroups(both, 'wav')[0]?.tiles[0]?.pictureId, 'picture')
  assert.deepEqual(foundGroups(both, 'nothing'), [])
})
