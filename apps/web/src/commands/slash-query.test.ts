import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AvailableCommand } from '@foyer/protocol/commands'
import { sampleUser } from '#src/store/samples.ts'
import { calledCommand, meantCommands, slashQuery, typedOut } from './slash-query.ts'

function command(name: string, bot = 'helper'): AvailableCommand {
  const user = sampleUser(bot, { is_bot: true })
  return { id: `${bot}-${name}`, application_id: bot, name, description: '', options: [], bot: user }
}

const commands = [command('play'), command('poll'), command('roll'), command('poll', 'voter')]
const namesFor = (query: string) => meantCommands(commands, query).map(({ id }) => id)

test('only a slash at the beginning, before a word, starts a command', () => {
  assert.equal(slashQuery('/po'), 'po')
  assert.equal(slashQuery('/'), '')
  assert.equal(slashQuery('/poll What?'), 'poll What?')
  for (const text of ['', 'a /poll', '//', '/etc/hosts', ' /poll']) assert.equal(slashQuery(text), null)
})

test('COMMAND-8: a single slash and a name call a command; paths, slashes alone and texts after a blank do not', () => {
  for (const text of ['/poll', '/Poll What?', '/poll\nWhat?', '/poll '])
    assert.equal(calledCommand(text), 'poll')
  const plain = ['', '/', '/ poll', '//poll', '/etc/hosts', ' /poll', 'a /poll', '/poll?', '/größe', '/1.5']
  for (const text of [...plain, `/${'a'.repeat(33)}`]) assert.equal(calledCommand(text), null, text)
})

test('commands that begin with the query come before those that contain it', () => {
  assert.deepEqual(namesFor('ol'), ['helper-poll', 'helper-roll', 'voter-poll'])
  assert.deepEqual(namesFor('PL'), ['helper-play'])
  assert.deepEqual(namesFor('voter'), ['voter-poll'])
  assert.deepEqual(namesFor('nothing'), [])
})

test('a blank after a name selects the command, unless two bots have one with that name', () => {
  assert.equal(typedOut(commands, 'roll'), undefined)
  assert.equal(typedOut(commands, 'roll ')?.id, 'helper-roll')
  assert.equal(typedOut(commands, 'poll '), undefined)
  assert.equal(typedOut(commands, 'rol '), undefined)
})
