import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { VoiceActivity } from './voice-activity.ts'

const SPEECH = 25
const QUIET = 70

suite('SFU-7: a user', () => {
  test('speaks from the third loud packet of 20 ms, and not with a click', () => {
    assert.deepEqual(speechOf([SPEECH, SPEECH, SPEECH, SPEECH]), [false, false, true, true])
    assert.deepEqual(speechOf([SPEECH, SPEECH, QUIET, QUIET]), [false, false, false, false])
    const clicks = [SPEECH, QUIET, QUIET, QUIET, QUIET, QUIET, SPEECH, QUIET]
    assert.ok(!speechOf(clicks).includes(true))
  })

  test('is silent after 300 ms without a loud packet, and not before', () => {
    const activity = new VoiceActivity()
    for (const atMs of [0, 20, 40]) activity.receive(SPEECH, atMs)
    activity.receive(QUIET, 60)
    assert.equal(activity.endsAt(339), false)
    assert.equal(activity.endsAt(340), true)
    assert.equal(activity.isSpeaking, false)
    assert.equal(activity.endsAt(341), false, 'it is told once')
  })

  test('keeps speaking through shorter pauses', () => {
    const activity = new VoiceActivity()
    for (const atMs of [0, 20, 40, 280]) activity.receive(SPEECH, atMs)
    assert.equal(activity.endsAt(500), false)
  })

  test('stops speaking at once when muted, and then starts over', () => {
    const activity = new VoiceActivity()
    for (const atMs of [0, 20, 40]) activity.receive(SPEECH, atMs)
    assert.equal(activity.silence(45), true)
    assert.equal(activity.receive(SPEECH, 60), false)
    assert.equal(activity.isSpeaking, false)
  })
})

/** Returns whether the member speaks after each of these levels, 20 ms apart. */
function speechOf(levels: readonly number[]): boolean[] {
  const activity = new VoiceActivity()
  return levels.map((level, at) => {
    activity.receive(level, at * 20)
    return activity.isSpeaking
  })
}
