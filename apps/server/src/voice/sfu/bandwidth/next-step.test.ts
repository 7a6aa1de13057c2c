import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep } from './next-step.ts'

const layers = [
  { height: 180, bitrate: 150_000 },
  { height: 360, bitrate: 500_000 },
]
const wanted = (wantedHeight: number | undefined) => ({ wantedHeight, layers })

test('BUDGET-7: the next step is the cheapest better picture', () => {
  const pictures = [wanted(360), wanted(180), wanted(undefined)]
  const best = { bestBps: 1_150_000 }
  assert.deepEqual(nextStep(pictures, [0, undefined, 0]), { ...best, chosenBps: 300_000, wantedBps: 450_000 })
  assert.deepEqual(nextStep(pictures, [0, 0, 1]), { ...best, chosenBps: 800_000, wantedBps: 1_150_000 })
})

test('BUDGET-7: there is no next step for a viewer who has all it wants, or wants nothing', () => {
  const all = { chosenBps: 650_000, wantedBps: undefined, bestBps: 650_000 }
  assert.deepEqual(nextStep([wanted(360), wanted(180)], [1, 0]), all)
  const nothing = { chosenBps: 0, wantedBps: undefined, bestBps: 0 }
  assert.deepEqual(nextStep([wanted(0)], [undefined]), nothing)
  assert.deepEqual(nextStep([{ wantedHeight: 720, layers: [] }], [undefined]), nothing)
})
