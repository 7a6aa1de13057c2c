import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FilmClock, play } from '../examples/film-clock.ts'

const FRAME_MS = 40
const SOUND_MS = 20
const START_MS = 7000

/** A time that passes only in waits, and in the pauses of a machine that does nothing for a while. */
class Time {
  nowMs = 1000
  readonly #waits: { at: number; end: () => void }[] = []

  readonly now = () => this.nowMs
  readonly wait = (ms: number) =>
    new Promise<void>((end) => {
      this.#waits.push({ at: this.nowMs + ms, end })
    })

  /** @param stepMs timers of a busy machine end later than they should */
  async pass(ms: number, stepMs = 1): Promise<void> {
    for (const until = this.nowMs + ms; this.nowMs < until; ) {
      this.nowMs += Math.min(stepMs, until - this.nowMs)
      const due = this.#waits.filter(({ at }) => at <= this.nowMs)
      for (const wait of due) this.#waits.splice(this.#waits.indexOf(wait), 1)
      for (const { end } of due) end()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** A film of two tracks that plays. The sound has a gap of a second. */
function begin() {
  const time = new Time()
  const clock = new FilmClock(START_MS, time)
  const sent: Record<'pictures' | 'sounds', { atMs: number; nowMs: number; given: number }[]> = {
    pictures: [],
    sounds: [],
  }
  const frames = (count: number, ms: number) =>
    Array.from({ length: count }, (_, at) => ({ atMs: START_MS + at * ms }))
  const sounds = frames(300, SOUND_MS).filter(({ atMs }) => atMs < START_MS + 2000 || atMs >= START_MS + 3000)
  const note =
    (track: keyof typeof sent) =>
    async ({ atMs }: { atMs: number }, given: number) => {
      sent[track].push({ atMs, nowMs: time.nowMs, given })
      // Slower than the film, as a line that takes a large key frame.
      await time.wait(track === 'pictures' ? 3 * FRAME_MS : 0)
      return true
    }
  const over = Promise.all([
    play(frames(150, FRAME_MS), clock, note('pictures')),
    play(sounds, clock, note('sounds')),
  ])
  /** How far each track is behind the times in the file. */
  const behind = () =>
    [sent.pictures, sent.sounds].map((list) => {
      const last = list.at(-1)
      return last === undefined ? Number.NaN : last.nowMs - last.atMs - (1000 - START_MS)
    })
  return { time, sent, over, behind }
}

describe('VIDEOBOT-9: a film plays by the times in its file', () => {
  test('without drift, across a gap in its sound, however long frames take and timers are late', async () => {
    const { time, sent, over, behind } = begin()
    await time.pass(6200, 7)
    await time.pass(200)
    assert.deepEqual(await over, [150, 250])
    for (const ms of behind()) assert.ok(ms >= 0 && ms < 7, `${ms} ms behind`)
    assert.ok([...sent.pictures, ...sent.sounds].every(({ atMs, given }) => given === atMs))
  })

  test('after a pause it goes on from there, both tracks together, without a burst', async () => {
    const { time, sent, behind } = begin()
    await time.pass(1000)
    const before = sent.pictures.length + sent.sounds.length
    time.nowMs += 3000
    await time.pass(1)
    const atOnce = sent.pictures.length + sent.sounds.length - before
    // A track may be behind the other one by less than what counts as a pause.
    assert.ok(atOnce <= 3, `${atOnce} frames at once`)
    await time.pass(200)
    const [pictures = 0, sounds = 0] = behind()
    assert.ok(Math.abs(pictures - sounds) < 2, `${pictures} and ${sounds} ms behind`)
    assert.ok(pictures > 2900 && pictures <= 3001, `${pictures} ms behind`)
    const { atMs = 0, given = 0 } = sent.pictures.at(-1) ?? {}
    assert.equal(given - atMs, pictures)
  })
})
