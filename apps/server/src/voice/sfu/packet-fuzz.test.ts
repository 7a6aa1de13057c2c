import { test } from 'node:test'
import { PacketFuzz } from '#test/voice/fuzz/packet-fuzz.ts'

/** `bench/packet-fuzz.ts` sends ten million, of any seed. */
const PACKETS = 100_000
const SEED = 20_261_128

test('FAULT-1: 100,000 mutated packets, reports, messages and offers break no parser of the media process', () => {
  new PacketFuzz(SEED).run(PACKETS)
})
