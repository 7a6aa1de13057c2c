import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRole } from '#src/store/samples.ts'
import { colorNumber, colorsOf, nameColors } from './role-color.ts'

test('a role has up to three colours, which may be black', () => {
  assert.deepEqual(colorsOf(sampleRole('plain')), [])
  assert.deepEqual(colorsOf(sampleRole('black', { color_from: 0 })), ['#000000'])
  const gradient = sampleRole('gradient', { color_from: 0xff8800, color_to: 0x0000ff })
  assert.deepEqual(colorsOf(gradient), ['#ff8800', '#0000ff'])
  assert.deepEqual(gradient.color_from, colorNumber('#ff8800'))
})

test('only the lower three bytes of a number are the colour', () => {
  assert.deepEqual(colorsOf(sampleRole('odd', { color_from: -1, color_via: 0x7f123456 })), [
    '#ffffff',
    '#123456',
  ])
})

test('a name is written in the colours of the highest role that has any', () => {
  const roles = [
    sampleRole('low', { position: 1, color_from: 1 }),
    sampleRole('middle', { position: 2, color_from: 2 }),
    sampleRole('high', { position: 3 }),
  ]
  assert.deepEqual(nameColors(roles, ['low', 'middle', 'high']), ['#000002'])
  assert.deepEqual(nameColors(roles, ['high']), [])
})
