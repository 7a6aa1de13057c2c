import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusEnds, textEnds } from './end-times.ts'

const at = (hour: number, minute = 0, day = 1) => new Date(2026, 4, day, hour, minute)
const ends = (times: typeof textEnds, now: Date) => times.map(({ until }) => until(now.getTime()))
const iso = (dates: Date[]) => dates.map((date) => date.toISOString())

test('a status ends after some time, or with the day where the user is', () => {
  assert.deepEqual(ends(statusEnds, at(12)), iso([at(13), at(20)]))
  assert.deepEqual(ends(textEnds, at(22, 15)), iso([at(22, 45), at(23, 15), at(2, 15, 2), at(0, 0, 2)]))
  assert.equal(
    textEnds.at(-1)?.until(new Date(2026, 11, 31, 23, 59).getTime()),
    new Date(2027, 0, 1).toISOString(),
  )
})
