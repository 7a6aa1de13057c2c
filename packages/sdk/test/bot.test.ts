import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Interaction } from '@foyer/protocol/interactions'
import type { Bot, BotOptions } from '@foyer/sdk/bot'
import { BotServer, makeBot, makeInteraction, makeModalSubmission } from './bot-fixture.ts'
import { GatewayFixture } from './gateway-fixture.ts'
import { serve } from './http-fixture.ts'

async function startBot(t: TestContext, build: (bot: Bot) => void, options: Partial<BotOptions> = {}) {
  const server = new BotServer()
  const { baseUrl } = await serve(t, server.answer)
  const { bot, errors } = makeBot(t, baseUrl, options)
  build(bot)
  await bot.start()
  return { server, bot, errors }
}

const go = { name: 'go', description: 'Goes' }

function command(options: NonNullable<Interaction['command']>['options']): Interaction {
  return makeInteraction({ command: { id: 'command', name: 'go', options } })
}

describe('a bot', () => {
  test('registers its commands and answers them', async (t) => {
    const { server, errors } = await startBot(t, (bot) => {
      bot.command(go, (interaction) => interaction.reply('gone'))
    })
    assert.deepEqual(server.commands, [[go]])
    server.ask(makeInteraction())
    assert.deepEqual(await server.receives(1), ['message {"content":"gone"}'])
    assert.deepEqual(errors, [])
  })

  test('reads options by their types', async (t) => {
    const read: unknown[] = []
    const { server, errors } = await startBot(t, (bot) => {
      bot.command(go, async (interaction) => {
        read.push(interaction.string('text'), interaction.integer('count'), interaction.boolean('sure'))
        read.push(interaction.number('none', 1.5), interaction.userId('nobody', null))
        assert.throws(() => interaction.string('count'), /of another type/)
        assert.throws(() => interaction.boolean('none'), /was not given/)
        await interaction.reply('read')
      })
    })
    server.ask(
      command([
        { name: 'text', value: 'a' },
        { name: 'count', value: 2 },
        { name: 'sure', value: false },
      ]),
    )
    await server.receives(1)
    assert.deepEqual([read, errors], [['a', 2, false, 1.5, null], []])
  })

  test('fills in a deferred answer and follows up', async (t) => {
    const { server } = await startBot(t, (bot) => {
      bot.command(go, async (interaction) => {
        await interaction.defer({ ephemeral: true })
        await interaction.reply({ content: 'here', ephemeral: true })
        await interaction.followUp('more')
        await interaction.deleteReply()
      })
    })
    server.ask(makeInteraction())
    assert.deepEqual(await server.receives(4), [
      'deferred {"flags":4}',
      'PATCH {"content":"here","flags":4}',
      'POST {"content":"more"}',
      'DELETE ',
    ])
  })

  test('finds handlers of components and modals by the longest prefix that fits', async (t) => {
    const { server } = await startBot(t, (bot) => {
      bot.component('vote', (interaction) => interaction.update(`vote ${interaction.values}`))
      bot.component('vote:no', (interaction) => interaction.update('no'))
      bot.modal('form', (interaction) =>
        interaction.reply(interaction.field('name') + interaction.field('x')),
      )
    })
    const message = JSON.parse('{}')
    const use = (custom_id: string) =>
      makeInteraction({ type: 'component', command: null, component: { custom_id, values: ['a'], message } })
    server.ask(use('vote:yes'), use('vote:no:1'), makeModalSubmission('form:1', { name: 'Ada' }))
    assert.deepEqual((await server.receives(3)).toSorted(), [
      'message {"content":"Ada"}',
      'update {"content":"no"}',
      'update {"content":"vote a"}',
    ])
  })

  test('suggests values', async (t) => {
    const { server } = await startBot(t, (bot) => {
      bot.autocomplete('go', (interaction) => {
        const { name, value } = interaction.focused
        return interaction.suggest([`${value}me`, { name, value: 2 }])
      })
      bot.command(go, (interaction) => interaction.reply('x'))
    })
    const typed = command([{ name: 'city', value: 'Ro', focused: true }])
    server.ask({ ...typed, type: 'autocomplete' })
    assert.deepEqual(await server.receives(1), [
      'autocomplete {"choices":[{"name":"Rome","value":"Rome"},{"name":"city","value":2}]}',
    ])
  })
})

describe('a bot whose handler', () => {
  test('throws apologizes only to the user, and reports the error', async (t) => {
    const { server, errors } = await startBot(t, (bot) => {
      bot.command(go, () => {
        throw new Error('broken')
      })
      bot.modal('promising', async (interaction) => {
        await interaction.defer()
        throw new Error('broken later')
      })
      bot.modal('answering', async (interaction) => {
        await interaction.reply('done')
        throw new Error('broken last')
      })
    })
    const apology = '{"content":"Sorry, something went wrong.","flags":4}'
    server.ask(makeInteraction())
    assert.deepEqual(await server.receives(1), [`message ${apology}`])
    server.ask(makeModalSubmission('promising'))
    assert.deepEqual((await server.receives(3)).slice(1), [
      'deferred {}',
      'PATCH {"content":"Sorry, something went wrong."}',
    ])
    server.ask(makeModalSubmission('answering'))
    assert.deepEqual((await server.receives(5)).slice(3), ['message {"content":"done"}', `POST ${apology}`])
    assert.deepEqual(errors.map(String), ['Error: broken', 'Error: broken later', 'Error: broken last'])
  })

  test('is missing or does not answer still sends an answer', async (t) => {
    const { server, errors } = await startBot(t, (bot) => {
      bot.component('quiet', () => {})
      bot.command(go, () => {})
    })
    const component = { custom_id: 'quiet', values: [], message: JSON.parse('{}') }
    server.ask(makeInteraction({ type: 'component', command: null, component }))
    assert.deepEqual(await server.receives(1), ['update {}'])
    server.ask(makeModalSubmission('unknown'))
    assert.match((await server.receives(2))[1] ?? '', /^message .*no longer works.*"flags":4/)
    assert.deepEqual(errors, [])
    server.ask(makeInteraction())
    await server.receives(3)
    assert.match(String(errors[0]), /did not answer/)
  })

  test('gets its answer refused can send another', async (t) => {
    const { server, errors } = await startBot(t, (bot) => {
      bot.command(go, (interaction) => interaction.reply('').catch(() => interaction.reply('second')))
    })
    server.refusals.push({ path: /callback/, status: 400, code: 'empty_message' })
    server.ask(makeInteraction())
    assert.deepEqual(await server.receives(1), ['message {"content":"second"}'])
    assert.deepEqual(errors, [])
  })

  test('answers twice by mistake is reported', async (t) => {
    const { server, errors } = await startBot(t, (bot) => {
      bot.command(go, async (interaction) => {
        await interaction.reply('one')
        await interaction.reply('two')
      })
    })
    server.ask(makeInteraction())
    await server.receives(2)
    assert.match(String(errors[0]), /already been answered/)
  })
})

describe('delivery', () => {
  test('of the same interaction twice runs its handler once', async (t) => {
    let runs = 0
    const { server } = await startBot(t, (bot) => {
      bot.command(go, (interaction) => {
        runs += 1
        return interaction.reply(interaction.data.id)
      })
    })
    const [first, second] = [makeInteraction(), makeInteraction()]
    server.ask(first, first, second)
    await server.receives(2)
    assert.equal(runs, 2)
  })

  test('of an expired interaction runs no handler', async (t) => {
    const { server } = await startBot(t, (bot) => {
      bot.command(go, (interaction) => interaction.reply(interaction.data.id))
    })
    const at = (minutesAgo: number) =>
      makeInteraction({ created_at: new Date(Date.now() - minutesAgo * 60_000).toISOString() })
    const [over, late] = [at(16), at(14)]
    server.ask(over, late)
    assert.deepEqual(await server.receives(1), [`message {"content":"${late.id}"}`])
  })

  test('to two processes ignores the later answer', async (t) => {
    const { server, errors } = await startBot(t, (bot) => {
      bot.command(go, async (interaction) => {
        await interaction.reply(interaction.data.id)
        await interaction.followUp('more')
      })
    })
    server.refusals.push({ path: /callback/, status: 400, code: 'interaction_answered' })
    const [lost, won] = [makeInteraction(), makeInteraction()]
    server.ask(lost, won)
    assert.deepEqual(await server.receives(2), [`message {"content":"${won.id}"}`, 'POST {"content":"more"}'])
    assert.deepEqual(errors, [])
  })

  test('continues after failures, and ends when the bot is refused', async (t) => {
    const { server, errors, bot } = await startBot(
      t,
      (bot) => {
        bot.command(go, (interaction) => interaction.reply('x'))
      },
      { retry: { maxAttempts: 1 } },
    )
    server.refusals.push({ path: /next/, status: 503, code: 'unavailable' })
    server.ask(makeInteraction())
    await server.receives(1)
    assert.equal(errors.length, 1)
    server.refusals.push({ path: /next/, status: 401, code: 'authentication_required' })
    while (errors.length < 2) await new Promise((resolve) => setImmediate(resolve))
    const { polls } = server
    await bot.stop()
    assert.equal(server.polls, polls)
  })

  test('by the gateway includes earlier interactions', async (t) => {
    const server = new BotServer()
    const fixture = await GatewayFixture.start(t, server.answer)
    const { bot, errors } = makeBot(t, fixture.baseUrl, { listen: 'gateway' })
    bot.command(go, (interaction) => interaction.reply(interaction.data.id))
    const [before, live] = [makeInteraction(), makeInteraction()]
    server.ask(before)
    const started = bot.start()
    const connection = await fixture.acceptReady()
    await started
    await server.receives(1)
    connection.dispatch('INTERACTION_CREATE', before, 'a')
    connection.dispatch('INTERACTION_CREATE', live, 'b')
    assert.deepEqual(
      await server.receives(2),
      [before, live].map(({ id }) => `message {"content":"${id}"}`),
    )
    await bot.stop()
    await connection.closed
    assert.deepEqual(errors, [])
  })

  test('cannot start with a refused token', async (t) => {
    const server = new BotServer()
    const fixture = await GatewayFixture.start(t, server.answer)
    const { bot } = makeBot(t, fixture.baseUrl, { listen: 'gateway' })
    const refusal = assert.rejects(bot.start(), /closed permanently: 4012/)
    const connection = await fixture.accept()
    connection.close(4012)
    await refusal
  })
})

test('stopping waits for running handlers', async (t) => {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { server, bot } = await startBot(t, (bot) => {
    bot.command(go, async (interaction) => {
      begun.resolve()
      await ended.promise
      await interaction.reply('late')
    })
  })
  server.ask(makeInteraction())
  await begun.promise
  const stopped = bot.stop()
  ended.resolve()
  await stopped
  assert.deepEqual(server.answers, ['message {"content":"late"}'])
})
