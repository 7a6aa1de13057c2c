import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageNameOf, isImageName } from './image-names.ts'

function nameOf(filename: string, taken: string[] = []): string {
  const name = imageNameOf(filename, taken, 'emoji')
  assert.ok(isImageName(name), name)
  return name
}

test('the name is the filename without its extension', () => {
  assert.equal(nameOf('party_parrot.gif'), 'party_parrot')
  assert.equal(nameOf('v1.2.final.png'), 'v1_2_final')
})

test('invalid characters become underscores, and accents are removed', () => {
  assert.equal(nameOf('Grüße aus  Köln!.webp'), 'Gru_e_aus_Koln')
  assert.equal(nameOf('-dash-.png'), 'dash')
})

test('the kind of picture fills names that are empty or too short', () => {
  assert.equal(nameOf('猫.png'), 'emoji')
  assert.equal(nameOf('x.png'), 'emoji_x')
  assert.equal(nameOf('.gif'), 'emoji')
})

test('a long name is cut', () => {
  assert.equal(nameOf(`${'a'.repeat(80)}.png`), 'a'.repeat(32))
})

test('a taken name gets a number, ignoring case, and stays within the limit', () => {
  assert.equal(nameOf('wave.png', ['WAVE']), 'wave_2')
  assert.equal(nameOf('wave.png', ['wave', 'wave_2']), 'wave_3')
  assert.equal(nameOf(`${'a'.repeat(40)}.png`, ['a'.repeat(32)]), `${'a'.repeat(30)}_2`)
})

test('a name has 2 to 32 letters, digits and underscores', () => {
  for (const name of ['a', '', 'a b', 'ä_', 'a'.repeat(33)]) assert.equal(isImageName(name), false, name)
})
