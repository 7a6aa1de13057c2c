import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withClock } from '#src/language/choice.ts'
import { speak } from '#src/language/texts.ts'
import { mutedWords } from '#src/notifications/mute-times.ts'
import { formatClock, formatDay, formatFull, formatShortClock } from './time.ts'

const EVENING = '2026-05-01T21:41:00'

test('times use the chosen clock and keep the format of the language', (context) => {
  context.after(() => speak('en', {}))
  speak(withClock('de-AT', 'h12'), {})
  assert.equal(formatClock(EVENING), '9:41 PM')
  assert.equal(formatShortClock(EVENING), '09:41')
  assert.equal(formatFull(EVENING), 'Freitag, 1. Mai 2026 um 9:41 PM')
  assert.match(mutedWords(EVENING, Date.parse('2026-05-01T12:00:00')), /9:41 PM\.$/)
  assert.equal(formatDay(EVENING, new Date('2026-07-01T12:00:00')), 'Freitag, 1. Mai 2026')
})
