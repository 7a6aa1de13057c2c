import { VoiceGrant, voiceEndReasons } from '@foyer/protocol/voice'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError } from '#src/kernel/errors.ts'
import { type QuestionDeps, Questions } from '#src/kernel/valkey/questions.ts'
import type { WatchedSource } from './engine.ts'
import type { VoiceHost } from './hosts/hosts.ts'

export interface RpcDeps extends Omit<QuestionDeps, 'answer'> {
  /** Undefined in a process without voice. */
  local: VoiceHost | undefined
}

const VoiceSession = Type.Object({
  id: Type.String(),
  userId: Type.String(),
  place: Type.Object({ tenantId: Type.String(), channelId: Type.String() }),
  loginId: Type.String(),
})

/** A request to another process with voice. */
const Question = Type.Union([
  Type.Object({ name: Type.Literal('join'), session: VoiceSession }),
  Type.Object({ name: Type.Literal('signal'), sessionId: Type.String(), offer: Type.String() }),
  Type.Object({
    name: Type.Literal('watch'),
    sessionId: Type.String(),
    watched: Type.Array(
      Type.Object({
        userId: Type.String(),
        source: Type.Enum(['camera', 'screen']),
        height: Type.Optional(Type.Integer()),
      }),
    ),
  }),
  Type.Object({ name: Type.Literal('refresh'), sessionId: Type.String() }),
  Type.Object({
    name: Type.Literal('kick'),
    sessionId: Type.String(),
    reason: Type.Enum([...voiceEndReasons]),
  }),
  Type.Object({ name: Type.Literal('check'), userId: Type.String(), offer: Type.String() }),
])
type Question = Static<typeof Question>

/** The result of a request: the grant of a join, the SDP answer to an offer, or nothing. */
const Reply = Type.Object({ grant: Type.Optional(VoiceGrant), sdp: Type.Optional(Type.String()) })
type Reply = Static<typeof Reply>

/** Calls the voice hosts of other processes through Valkey, and answers their calls to the host of this process. */
export class VoiceRpc {
  readonly #questions: Questions

  constructor({ local, ...deps }: RpcDeps) {
    this.#questions = new Questions({ ...deps, answer: (question) => run(local, question) })
  }

  /** Resolves when other processes can call this one. Until then, this process must not be given sessions. */
  start(): Promise<void> {
    return this.#questions.start()
  }

  close(): void {
    this.#questions.close()
  }

  /** Returns whether the host's process has a connection to Valkey. @throws Error if Valkey is unavailable */
  isThere(hostId: string): Promise<boolean> {
    return this.#questions.isThere(hostId)
  }

  hostAt(hostId: string): VoiceHost {
    const ask = (question: Question) => this.#ask(hostId, question)
    return {
      join: async (session) => given((await ask({ name: 'join', session })).grant),
      signal: async (sessionId, offer) => given((await ask({ name: 'signal', sessionId, offer })).sdp),
      watch: async (sessionId, watched) =>
        void (await ask({ name: 'watch', sessionId, watched: watched.map(withHeight) })),
      refresh: async (sessionId) => void (await ask({ name: 'refresh', sessionId })),
      kick: async (sessionId, reason) => void (await ask({ name: 'kick', sessionId, reason })),
      check: async (userId, offer) => given((await ask({ name: 'check', userId, offer })).sdp),
    }
  }

  async #ask(hostId: string, question: Question): Promise<Reply> {
    const reply = await this.#questions.ask(hostId, question).catch((error: unknown) => {
      const isOfHost = error instanceof ApiError && error.code !== 'unavailable'
      throw isOfHost ? error : new ApiError('voice_unavailable')
    })
    return given(Check(Reply, reply) ? reply : undefined)
  }
}

async function run(local: VoiceHost | undefined, question: unknown): Promise<Reply> {
  if (local === undefined || !Check(Question, question)) throw new ApiError('voice_unavailable')
  if (question.name === 'join') return { grant: await local.join(question.session) }
  if (question.name === 'signal') return { sdp: await local.signal(question.sessionId, question.offer) }
  if (question.name === 'check') return { sdp: await local.check(question.userId, question.offer) }
  if (question.name === 'watch') await local.watch(question.sessionId, question.watched)
  else if (question.name === 'refresh') await local.refresh(question.sessionId)
  else await local.kick(question.sessionId, question.reason)
  return {}
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new ApiError('voice_unavailable')
  return value
}

function withHeight({ userId, source, height }: WatchedSource) {
  return { userId, source, ...(height === undefined ? {} : { height }) }
}
