import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSpaceImage } from '#src/store/samples.ts'
import { groupEmojis } from './emoji-data.ts'
import { foundGroups, tileGroups } from './tiles.ts'

const wave = {
  hexcode: '1F44B',
  unicode: '👋',
  label: 'waving hand',
  group: 1,
  skins: [{ hexcode: '1F44B-1F3FB', unicode: '👋🏻' }],
}
const source = {
  groups: groupEmojis([{ hexcode: '1F600', unicode: '😀', label: 'grinning face', group: 0 }, wave]),
  spaces: [{ id: 's', name: 'Hikers', emojis: [sampleSpaceImage('tent', { name: 'camp' })] }],
  tone: 1,
}

test('recently used emojis come first, then custom ones; empty groups are left out', () => {
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

test('recently used emojis of other spaces are left out', () => {
  assert.equal(
    tileGroups(source, ['gone']).some(({ id }) => id === 'recent'),
    false,
  )
})

test('a search lists custom emojis first, and others in the selected tone', () => {
  const emojis = [sampleSpaceImage('w', { name: 'wavy', attachment_id: 'picture' })]
  const both = { ...source, spaces: [{ id: 's', name: 'Hikers', emojis }] }
  assert.deepEqual(
    foundGroups(both, 'wav').map(({ label, tiles }) => [label, tiles.map(({ text }) => text)]),
    [
      ['Hikers', ['<:wavy:w>']],
      ['Emoji', ['👋🏻']],
    ],
  )
  assert.equal(foundGroups(both, 'wav')[0]?.tiles[0]?.pictureId, 'picture')
  assert.deepEqual(foundGroups(both, 'nothing'), [])
})

test('in a conversation each space has its own group', () => {
  const painters = { id: 'p', name: 'Painters', emojis: [sampleSpaceImage('brush', { name: 'brush' })] }
  const groups = tileGroups({ ...source, spaces: [...source.spaces, painters] }, [])
  assert.deepEqual(
    groups.slice(0, 2).map(({ label, tiles }) => [label, tiles.map(({ key }) => key)]),
    [
      ['Hikers', ['tent']],
      ['Painters', ['brush']],
    ],
  )
})
