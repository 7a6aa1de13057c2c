import type { TestContext } from 'node:test'
import type { Interaction } from '@foyer/protocol/interactions'
import { Bot, type BotOptions } from '@foyer/sdk/bot'
import { type Answer, sendError, sendJson, sendNothing } from './http-fixture.ts'
import { makeUser } from './token-fixture.ts'

const APP = '01890000-0000-7000-8000-0000000000a0'

/** An answer of the bot to an interaction, like `message {"content":"x"}` or `PATCH {"content":"y"}`. */
export type BotAnswer = string

/** A server for a bot: sends interactions to the bot, and records its answers. */
export class BotServer {
  readonly answers: BotAnswer[] = []
  readonly commands: unknown[] = []
  readonly waiting: Interaction[] = []
  polls = 0
  /** Errors to send. Each error answers the next request with a matching path. */
  readonly refusals: { path: RegExp; status: number; code: string }[] = []
  #wake = () => {}

  readonly answer: Answer = (request, response) => {
    const { method, path, body } = request
    const at = this.refusals.findIndex((refusal) => refusal.path.test(path))
    const [refusal] = at < 0 ? [] : this.refusals.splice(at, 1)
    if (refusal) sendError(response, refusal.status, { 'x-error-code': refusal.code })
    else if (path === '/api/users/@me') sendJson(response, { ...makeUser(), id: APP })
    else if (path.endsWith('/commands')) this.#keepCommands(request.text, () => sendJson(response, []))
    else if (path.includes('/interactions/next'))
      this.#hand(path, (next) => (next ? sendJson(response, next) : sendNothing(response)))
    else if (path.endsWith('/callback'))
      this.#record(`${body.type} ${JSON.stringify(body.data)}`, () => sendNothing(response))
    else this.#record(`${method} ${request.text}`, () => sendJson(response, {}))
  }

  /** Resolves once the bot has sent this many answers. */
  async receives(count: number): Promise<BotAnswer[]> {
    while (this.answers.length < count) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.answers
  }

  /** Queues interactions for the bot's next polls. */
  ask(...interactions: Interaction[]): void {
    this.waiting.push(...interactions)
  }

  #keepCommands(text: string, then: () => void): void {
    this.commands.push(JSON.parse(text))
    then()
  }

  #hand(path: string, send: (interaction: Interaction | undefined) => void): void {
    this.polls += 1
    const next = this.waiting.shift()
    if (next !== undefined || path.endsWith('timeout=0')) send(next)
    else setTimeout(() => send(this.waiting.shift()), 5)
  }

  #record(words: string, then: () => void): void {
    this.answers.push(words)
    then()
    this.#wake()
  }
}

export function makeBot(t: TestContext, baseUrl: string, options: Partial<BotOptions> = {}) {
  const errors: unknown[] = []
  const bot = new Bot({
    baseUrl,
    token: 'robot',
    listen: 'poll',
    retry: { baseDelayMs: 1, maxDelayMs: 5 },
    onError: (error) => errors.push(error),
    ...options,
  })
  t.after(() => bot.stop())
  return { bot, errors }
}

let count = 0

export function makeInteraction(given: Partial<Interaction> = {}): Interaction {
  count += 1
  return {
    id: `interaction-${count}`,
    token: 'token',
    application_id: APP,
    type: 'command',
    room_id: 'room',
    conversation_id: null,
    space_id: 'space',
    user: makeUser(),
    member: null,
    permissions: 0,
    command: { id: 'command', name: 'go', options: [] },
    component: null,
    modal: null,
    created_at: new Date().toISOString(),
    ...given,
  }
}

export function makeModalSubmission(customId: string, fields: Record<string, string> = {}): Interaction {
  const list = Object.entries(fields).map(([custom_id, value]) => ({ custom_id, value }))
  return makeInteraction({ type: 'modal', command: null, modal: { custom_id: customId, fields: list } })
}
