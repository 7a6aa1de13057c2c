import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wakeQuiet } from './wake-quiet.ts'

test('QUIET-4: each press tries again, once although several notes hear it, and not after a key that allows no sound', async () => {
  const opened: PromiseWithResolvers<void>[] = []
  const voice = {
    reopenMicrophone: () => {
      const pending = Promise.withResolvers<void>()
      opened.push(pending)
      return pending.promise
    },
  }
  await wakeQuiet(voice, { isActive: false })
  assert.equal(opened.length, 0)
  const presses = [wakeQuiet(voice, { isActive: true }), wakeQuiet(voice, { isActive: true })]
  assert.equal(opened.length, 1)
  opened[0]?.resolve()
  await Promise.all(presses)
  void wakeQuiet(voice, { isActive: true })
  assert.equal(opened.length, 2)
})
