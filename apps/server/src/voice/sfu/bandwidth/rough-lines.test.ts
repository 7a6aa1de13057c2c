import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LinkScene } from '#test/voice/link-scene.ts'
import { SimulatedLine } from '#test/voice/simulated-line.ts'

suite('BUDGET-9: a viewer of four cameras', () => {
  test('has 3.4 of 5 Mbit/s within four seconds though every twentieth packet is lost', () => {
    const scene = new LinkScene(new SimulatedLine(5_000_000, { lostShare: 0.05 }), 4, true)
    scene.run(4)
    assert.ok(scene.bps >= 3_400_000, String(scene.bps))
  })

  test('keeps two thirds of 5 Mbit/s on a busy wireless network', () => {
    const scene = new LinkScene(new SimulatedLine(5_000_000, { pauses: true }), 4, true)
    scene.run(20)
    let sum = 0
    for (let seconds = 0; seconds < 40; seconds += 1) {
      scene.run(1)
      sum += scene.bps
    }
    assert.ok(sum / 40 > 3_400_000, String(sum / 40))
  })

  test('has 3.4 Mbit/s again five seconds after two seconds of 300 kbit/s', () => {
    for (let seconds = 20; seconds < 22; seconds += 0.5) {
      const scene = new LinkScene(new SimulatedLine(5_000_000), 4, true)
      scene.run(seconds)
      scene.line.bps = 300_000
      scene.run(2)
      scene.line.bps = 5_000_000
      scene.run(5)
      assert.ok(scene.bps >= 3_400_000, `${scene.bps}, ${seconds} s after the start`)
    }
  })

  test('hears sounds on time when its route becomes longer, and keeps half of its line', () => {
    const scene = new LinkScene(new SimulatedLine(5_000_000, { delayMs: 10 }), 4, true)
    scene.run(20)
    scene.line.delayMs = 60
    scene.run(15)
    assert.ok(scene.bps >= 2_500_000, String(scene.bps))
    scene.soundDelays.length = 0
    scene.run(10)
    const p99 = scene.soundDelayMs(0.99)
    assert.ok(p99 < 100, `${p99} ms`)
  })

  test('hears sounds on a line whose router drops what waits for over 20 ms', () => {
    for (const bps of [1_000_000, 5_000_000]) {
      const scene = new LinkScene(new SimulatedLine(bps, { delayMs: 10, queueMs: 20 }), 4, true)
      scene.run(20)
      scene.soundDelays.length = 0
      const before = scene.soundsSent
      scene.run(60)
      const lost = 1 - scene.soundDelays.length / (scene.soundsSent - before)
      assert.ok(lost < 0.01, `${lost} of the sounds are lost on ${bps} bit/s`)
    }
  })

  test('is sent less at once if it was sent more by mistake', () => {
    for (const seconds of [18, 20, 24]) {
      const scene = new LinkScene(new SimulatedLine(1_000_000, { delayMs: 10, pauses: true }), 4, true)
      scene.run(seconds)
      scene.line.bps = 700_000
      scene.run(2)
      scene.soundDelays.length = 0
      scene.run(30)
      const p98 = scene.soundDelayMs(0.98)
      assert.ok(p98 < 90, `${p98} ms, ${seconds} s after the start`)
    }
  })
})
