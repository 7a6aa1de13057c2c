import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLayers, type Layer } from './choose-layers.ts'

const camera: readonly Layer[] = [
  { height: 180, bitrate: 150_000 },
  { height: 360, bitrate: 500_000 },
  { height: 720, bitrate: 1_700_000 },
]
const wanted = (wantedHeight: number | undefined, layers = camera) => ({ wantedHeight, layers })

test('BUDGET-1: without a limit each picture has the lowest layer that fills its height', () => {
  const pictures = [
    wanted(undefined),
    wanted(720),
    wanted(361),
    wanted(360),
    wanted(181),
    wanted(180),
    wanted(1),
    wanted(4000),
  ]
  assert.deepEqual(chooseLayers(pictures, Number.POSITIVE_INFINITY), [2, 2, 2, 1, 1, 0, 0, 2])
})

test('BUDGET-1: a hidden picture and one without a layer get nothing and cost nothing', () => {
  assert.deepEqual(chooseLayers([wanted(0), wanted(720, []), wanted(180)], 150_000), [
    undefined,
    undefined,
    0,
  ])
})

test('BUDGET-1: as many pictures as fit are shown small before one is raised', () => {
  const pictures = [wanted(720), wanted(720), wanted(720)]
  assert.deepEqual(chooseLayers(pictures, 149_999), [undefined, undefined, undefined])
  assert.deepEqual(chooseLayers(pictures, 300_000), [0, 0, undefined])
  assert.deepEqual(chooseLayers(pictures, 799_999), [0, 0, 0])
  assert.deepEqual(chooseLayers(pictures, 800_000), [1, 0, 0])
  assert.deepEqual(chooseLayers(pictures, 1_150_000), [1, 1, 0])
  assert.deepEqual(chooseLayers(pictures, 2_000_000), [2, 0, 0])
  assert.deepEqual(chooseLayers(pictures, 5_100_000), [2, 2, 2])
})

test('BUDGET-1: what the most important picture does not want is left for the next', () => {
  assert.deepEqual(chooseLayers([wanted(180), wanted(360), wanted(720)], 2_350_000), [0, 1, 2])
})

test('BUDGET-1: a small picture is shown where a more important one does not fit', () => {
  const screen = [{ height: 1080, bitrate: 2_000_000 }]
  assert.deepEqual(chooseLayers([wanted(undefined, screen), wanted(720)], 600_000), [undefined, 1])
})

test('BUDGET-1: without a budget nothing is shown', () => {
  assert.deepEqual(chooseLayers([wanted(720)], 0), [undefined])
  assert.deepEqual(chooseLayers([], 1_000_000), [])
})
