import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandOption } from '@foyer/protocol/commands'
import { type Draft, firstShown, readSoFar, readValues } from './command-values.ts'

function option(name: string, change: Partial<CommandOption> = {}): CommandOption {
  const plain = { description: '', required: false, choices: [], autocomplete: false, min: null, max: null }
  return { name, type: 'string', ...plain, ...change }
}

const typed = (text: string): Draft => ({ text, chosen: null })

function errorFor(kind: CommandOption, draft: Draft): string | undefined {
  return readValues([kind], { [kind.name]: draft }).errors[kind.name]
}

test('empty options are omitted, unless they are required', () => {
  const options = [option('text', { required: true }), option('days', { type: 'integer' })]
  assert.deepEqual(readValues(options, {}), { options: [], errors: { text: 'This field is required.' } })
  const filled = readValues(options, { text: typed(' What? '), days: typed(' ') })
  assert.deepEqual(filled, { options: [{ name: 'text', value: 'What?' }], errors: {} })
})

test('the first optional text field is focused, but not one where Enter would choose a value', () => {
  const sides = option('sides', { type: 'integer' })
  assert.deepEqual(firstShown([sides, option('times')]), ['sides'])
  assert.deepEqual(firstShown([sides, option('text', { required: true })]), [])
  assert.deepEqual(firstShown([option('who', { type: 'user' }), sides]), [])
  assert.deepEqual(firstShown([option('city', { autocomplete: true })]), [])
  assert.deepEqual(firstShown([]), [])
})

test('numbers are parsed in local formats, and checked against their bounds', () => {
  const days = option('days', { type: 'integer', min: 1, max: 7 })
  assert.equal(errorFor(days, typed('seven')), 'Enter a number.')
  assert.equal(errorFor(days, typed('2.5')), 'Enter a whole number.')
  assert.equal(errorFor(days, typed('0')), 'Enter 1 or more.')
  assert.equal(errorFor(days, typed('8')), 'Enter 7 or less.')
  assert.equal(errorFor(days, typed('7')), undefined)
  const share = option('share', { type: 'number' })
  assert.deepEqual(readValues([share], { share: typed('0,5') }).options, [{ name: 'share', value: 0.5 }])
})

test('an option with choices needs a choice, not only typed text', () => {
  const who = option('who', { type: 'user' })
  assert.equal(errorFor(who, typed('mira')), 'Choose an option from the list.')
  assert.equal(errorFor(who, { text: 'mira', chosen: 'some-id' }), undefined)
  const free = option('free', { autocomplete: true })
  assert.equal(errorFor(free, typed('anything')), undefined)
})

test('a bot that suggests values receives the typed text and the other valid options', () => {
  const options = [option('city'), option('days', { type: 'integer' }), option('unit')]
  const drafts = { city: typed('ber'), days: typed('many'), unit: typed('mm') }
  assert.deepEqual(readSoFar(options, drafts, { name: 'city', text: 'ber' }), [
    { name: 'unit', value: 'mm' },
    { name: 'city', value: 'ber', focused: true },
  ])
})
