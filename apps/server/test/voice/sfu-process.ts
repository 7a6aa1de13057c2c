import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { type MediaRights, NO_RIGHTS } from '#src/voice/engine.ts'
import type {
  SfuMessage,
  SfuOptions,
  SfuRefusal,
  SfuRequestName,
  SfuRequests,
} from '#src/voice/sfu/messages.ts'

const LOOPBACK: SfuOptions = { port: 0, addresses: ['127.0.0.1'], publicIps: [] }

export class RefusedError extends Error {
  readonly code: SfuRefusal

  constructor(code: SfuRefusal, message: string) {
    super(message)
    this.code = code
  }
}

/** The real SFU process, and all messages it has sent. */
export class SfuProcess {
  readonly child: ChildProcess
  readonly told: SfuMessage[] = []
  port = 0
  tcpPort = 0
  readonly #answers = new EventEmitter().setMaxListeners(0)
  #lastId = 0

  static async start(options: Partial<SfuOptions> = {}): Promise<SfuProcess> {
    const sfu = new SfuProcess({ ...LOOPBACK, ...options })
    await once(sfu.#answers, 'ready')
    return sfu
  }

  private constructor(options: SfuOptions) {
    const main = new URL('../../src/voice/sfu/main.ts', import.meta.url)
    this.child = fork(main, [JSON.stringify(options)], { execArgv: [] })
    this.child.on('message', (message: SfuMessage) => this.#take(message))
  }

  ask<Name extends SfuRequestName>(
    name: Name,
    given: SfuRequests[Name]['given'],
  ): Promise<SfuRequests[Name]['answer']> {
    this.#lastId += 1
    const id = this.#lastId
    const answer = new Promise<SfuRequests[Name]['answer']>((resolve, reject) => {
      this.#answers.once(String(id), (message) =>
        message.kind === 'answer'
          ? resolve(message.answer)
          : reject(new RefusedError(message.code, message.message)),
      )
    })
    this.child.send({ id, name, given })
    return answer
  }

  /** Joins. The session and its user have the same name. */
  join(name: string, roomId: string, rights: Partial<MediaRights> = {}): Promise<undefined> {
    return this.ask('join', {
      sessionId: name,
      roomId,
      userId: name,
      rights: { ...NO_RIGHTS, canSpeak: true, canHear: true, ...rights },
    })
  }

  async signal(sessionId: string, offer: string): Promise<string> {
    return (await this.ask('signal', { sessionId, offer })).answer
  }

  tells<Kind extends SfuMessage['kind']>(kind: Kind): Extract<SfuMessage, { kind: Kind }>[] {
    return this.told.filter(
      (message): message is Extract<SfuMessage, { kind: Kind }> => message.kind === kind,
    )
  }

  /** Returns the users in the slots of a session, in order, as the session was notified. */
  heardBy(name: string): (string | undefined)[] {
    const slots: (string | undefined)[] = []
    for (const told of this.tells('slots').filter(({ sessionId }) => sessionId === name)) {
      for (const { slot, userId } of told.slots) slots[slot] = userId
    }
    return slots
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exit = once(this.child, 'exit')
    this.child.disconnect()
    await exit
  }

  #take(message: SfuMessage): void {
    if (message.kind === 'ready') {
      this.port = message.port
      this.tcpPort = message.tcpPort ?? 0
      this.#answers.emit('ready')
    } else if (message.kind === 'answer' || message.kind === 'refusal') {
      this.#answers.emit(String(message.id), message)
    } else {
      this.told.push(message)
    }
  }
}
