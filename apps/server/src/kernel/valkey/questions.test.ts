import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import pino from 'pino'
import { startValkey, type TestValkey, withoutValkey } from '#test/valkey/valkey.ts'
import { ApiError } from '../errors.ts'
import { newId } from '../ids.ts'
import { type QuestionDeps, Questions } from './questions.ts'
import { Valkey } from './valkey.ts'

const skip = withoutValkey

let server: TestValkey
let valkey: Valkey
const open: Questions[] = []
before(async () => {
  if (skip !== false) return
  server = await startValkey()
  valkey = new Valkey({ url: server.url, prefix: 'test', onError: () => undefined })
  await valkey.known
})
afterEach(() => {
  for (const questions of open.splice(0)) questions.close()
})
after(async () => {
  valkey?.close()
  await server?.close()
})

async function begin(answer: QuestionDeps['answer'], maxWaitMs = 30_000) {
  const processId = newId()
  const questions = new Questions({ processId, valkey, log: pino({ level: 'silent' }), answer, maxWaitMs })
  open.push(questions)
  await questions.start()
  return { processId, questions }
}

const unasked = () => Promise.reject(new Error('nobody asks this one'))

test('VHOST-2: a process gets an answer to each of many simultaneous requests to another process', {
  skip,
}, async () => {
  const [{ questions }, { processId }] = [
    await begin(unasked),
    await begin(async (question) => ({ heard: question })),
  ]
  const numbers = Array.from({ length: 20 }, (_, number) => ({ number, text: 'ä\n'.repeat(number) }))
  const answers = await Promise.all(numbers.map((number) => questions.ask(processId, number)))
  assert.deepEqual(
    answers,
    numbers.map((heard) => ({ heard })),
  )
})

test('VHOST-2: a refusal comes with its code, and a failure is unavailable', { skip }, async () => {
  const { questions } = await begin(unasked)
  const refusing = await begin(() => Promise.reject(new ApiError('unknown_room', 'gone')))
  await assert.rejects(questions.ask(refusing.processId, 1), { code: 'unknown_room', message: 'gone' })
  const failing = await begin(unasked)
  await assert.rejects(questions.ask(failing.processId, 1), { code: 'unavailable' })
})

test('VHOST-2: an absent process is reported at once, and a silent one is waited for', {
  skip,
}, async () => {
  const { questions } = await begin(unasked)
  await assert.rejects(questions.ask(newId(), 1), { code: 'unavailable' })
  assert.equal(await questions.isThere(newId()), false)
  const silent = await begin(() => new Promise(() => undefined))
  assert.equal(await questions.isThere(silent.processId), true)
  const impatient = await begin(unasked, 50)
  await assert.rejects(impatient.questions.ask(silent.processId, 1), { code: 'unavailable' })
})
