import assert from 'node:assert/strict'
import { ReferenceTime, readArrivals } from '#src/voice/sfu/bandwidth/arrival-feedback.ts'
import { readReceiverFeedback } from '#src/voice/sfu/bandwidth/receiver-feedback.ts'
import { readClientTime } from '#src/voice/sfu/video/extended-reports.ts'
import { partsOf, readFeedback } from '#src/voice/sfu/video/rtcp.ts'
import { reportsAbout } from './seeds.ts'
import type { FuzzTarget } from './targets.ts'

const MAX_ARRIVALS = 3000
const MAX_MISSING = 150
const MAX_PARTS = 20
const MAX_BLOCKS = MAX_PARTS * 31

/** Target for RTCP: every kind of report that the media process reads. */
export function reportTarget(): FuzzTarget {
  const reference = new ReferenceTime()
  return {
    name: 'report',
    seeds: reportsAbout(5),
    take(bytes) {
      const parts = partsOf(bytes)
      assert.ok(parts.length <= MAX_PARTS)
      for (const part of parts) {
        const arrivals = readArrivals(part, reference) ?? []
        assert.ok(arrivals.length <= MAX_ARRIVALS)
        assert.ok(arrivals.every(({ arrivedMs }) => arrivedMs === undefined || Number.isFinite(arrivedMs)))
      }
      readFeedback(bytes, {
        onSenderReport: (_, { timestamp }) => assert.ok(timestamp >= 0),
        onMissing: (_, sequences) => assert.ok(sequences.length <= MAX_MISSING),
        onPictureLoss: (ssrc) => assert.ok(ssrc >= 0),
      })
      assert.ok((readClientTime(bytes)?.time ?? 0) >= 0)
      const { bandwidthBps, blocks } = readReceiverFeedback(bytes)
      assert.ok(bandwidthBps === undefined || bandwidthBps >= 0)
      assert.ok(blocks.length <= MAX_BLOCKS)
    },
  }
}
