import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LinkScene } from '#test/voice/link-scene.ts'
import { SimulatedLine } from '#test/voice/simulated-line.ts'

for (const reportsArrivals of [false, true]) {
  suite(`BUDGET-4: a viewer that ${reportsArrivals ? 'reports arrivals' : 'estimates its line'}`, () => {
    test('has four fifths of a line of 5 Mbit/s within six seconds', () => {
      const scene = new LinkScene(new SimulatedLine(5_000_000), 8, reportsArrivals)
      scene.run(6)
      const bps = scene.arriving.bps(scene.nowMs)
      assert.ok(bps > 0.8 * 5_000_000, String(bps))
    })

    test('has the highest layer of one camera within three seconds, and padding ends', () => {
      const scene = new LinkScene(new SimulatedLine(20_000_000), 1, reportsArrivals)
      scene.run(3)
      assert.deepEqual(scene.chosen, [2])
      scene.run(10)
      const before = scene.paddingBytes
      scene.run(30)
      assert.deepEqual(scene.chosen, [2])
      assert.equal(scene.paddingBytes, before)
    })

    test('of a line of 300 kbit/s has the smallest picture, and sound without loss', () => {
      const scene = new LinkScene(new SimulatedLine(300_000), 1, reportsArrivals)
      scene.run(60)
      assert.deepEqual(scene.chosen, [0])
      const lost = 1 - scene.soundDelays.length / scene.soundsSent
      assert.ok(lost < 0.01, `${scene.soundsSent} sent, ${scene.soundDelays.length} arrived`)
      const late = scene.soundDelays.filter((ms) => ms > 300).length / scene.soundsSent
      assert.ok(late < 0.02, `${late} of the sounds are late`)
    })

    test('is sent less within a second and a half when its line becomes slower', () => {
      const scene = new LinkScene(new SimulatedLine(5_000_000), 2, reportsArrivals)
      scene.run(20)
      assert.deepEqual(scene.chosen, [2, 2])
      scene.line.bps = 1_000_000
      scene.run(1.5)
      assert.ok(scene.bps <= 1_000_000, String(scene.bps))
    })

    test('is sent more again when its line becomes faster, because padding tries it', () => {
      const scene = new LinkScene(new SimulatedLine(400_000), 1, reportsArrivals)
      scene.run(30)
      assert.deepEqual(scene.chosen, [0])
      scene.line.bps = 10_000_000
      scene.run(120)
      assert.deepEqual(scene.chosen, [2])
    })
  })
}

test('BUDGET-4: sound is on time again two seconds after a line became slower', () => {
  for (let seconds = 4; seconds <= 12; seconds += 0.5) {
    const scene = new LinkScene(new SimulatedLine(5_000_000, { delayMs: 10 }), 4, true)
    scene.run(seconds)
    scene.line.bps = 1_000_000
    scene.run(2)
    scene.soundDelays.length = 0
    scene.run(2)
    const late = scene.soundDelays.filter((delayMs) => delayMs > 100).length / scene.soundDelays.length
    assert.ok(late < 0.1, `${late} of the sounds are late, ${seconds} s after the start`)
  }
})

suite('BUDGET-7: probes of a viewer that reports arrivals', () => {
  test('find the line again after a few seconds in which it carried almost nothing', () => {
    const scene = new LinkScene(new SimulatedLine(5_000_000), 4, true)
    scene.run(20)
    scene.line.bps = 60_000
    scene.run(10)
    scene.line.bps = 5_000_000
    scene.run(20)
    assert.ok(scene.bps > 2_000_000, String(scene.bps))
  })

  test('leave a viewer without repairs without a limit', () => {
    const scene = new LinkScene(new SimulatedLine(20_000_000), 4, true, false)
    scene.run(20)
    assert.equal(scene.link.budgetBps(2, scene.nowMs), Number.POSITIVE_INFINITY)
  })

  test('find four fifths of a line of 5 Mbit/s within three seconds', () => {
    const scene = new LinkScene(new SimulatedLine(5_000_000), 8, true)
    scene.run(3)
    assert.ok(scene.bps > 0.8 * 5_000_000, String(scene.bps))
  })

  test('delay sound beside pictures by less than 20 ms', () => {
    for (let seconds = 5; seconds < 6; seconds += 0.1) {
      const scene = new LinkScene(new SimulatedLine(1_000_000, { delayMs: 10 }), 4, true)
      scene.run(seconds)
      scene.soundDelays.length = 0
      scene.run(10)
      const p99 = scene.soundDelayMs(0.99)
      // Alone, a sound takes 11 ms.
      assert.ok(p99 < 31, `${p99} ms, ${seconds} s after the start`)
    }
  })

  test('become rare on a line that carries no more', () => {
    const scene = new LinkScene(new SimulatedLine(1_000_000), 4, true)
    scene.run(100)
    const before = scene.paddingBytes
    scene.run(120)
    assert.deepEqual(scene.chosen, [0, 0, 0, 0])
    // Seven of 100 ms, besides the pictures.
    assert.ok(scene.paddingBytes - before < 60_000, `${scene.paddingBytes - before} bytes of padding`)
  })
})
