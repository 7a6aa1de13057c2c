import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Destination, foundDestinations } from './destinations.ts'

function place(kind: Destination['kind'], name: string, change: Partial<Destination> = {}): Destination {
  return { kind, id: name, name, note: '', path: `/${name}`, unread: 0, mentions: 0, ...change }
}

const general = place('room', 'general', { note: 'Sunday hikers' })
const garden = place('room', 'garden', { note: 'Neighbours' })
const gena = place('person', 'Gena', { note: '@gena.w', path: null })
const group = place('conversation', 'Trip', { unread: 2, mentions: 2 })
const hikers = place('space', 'Sunday hikers', { path: '/hikers' })
const all = [general, garden, gena, group, hikers]
const namesFor = (typed: string, recent: string[] = []) =>
  foundDestinations(all, typed, recent).map(({ name }) => name)

test('with nothing typed it lists what calls for the reader, then where they were lately', () => {
  assert.deepEqual(namesFor(''), ['Trip'])
  assert.deepEqual(namesFor('', ['/garden', '/general']), ['garden', 'Trip', 'general'])
})

test('a name that is nearer comes first, and of two that are as near the one of late', () => {
  assert.deepEqual(namesFor('gen'), ['Gena', 'general', 'garden'])
  assert.deepEqual(namesFor('ga'), ['garden'])
  assert.deepEqual(namesFor('g', ['/garden']), ['garden', 'Gena', 'general'])
})

test('a sign before what is typed asks for rooms, people or spaces alone', () => {
  assert.deepEqual(namesFor('#gen'), ['general', 'garden'])
  assert.deepEqual(namesFor('@gen'), ['Gena'])
  assert.deepEqual(namesFor('@'), ['Trip', 'Gena'])
  assert.deepEqual(namesFor('*sun'), ['Sunday hikers'])
})

test('the space narrows rooms down, and a username finds its person', () => {
  assert.deepEqual(namesFor('ge hik'), ['general'])
  assert.deepEqual(namesFor('gena.w'), ['Gena'])
  assert.deepEqual(namesFor('zzz'), [])
})
