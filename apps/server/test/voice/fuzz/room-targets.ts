import assert from 'node:assert/strict'
import { ViewerLink } from '#src/voice/sfu/bandwidth/viewer-link.ts'
import { isRtcp } from '#src/voice/sfu/rtp-packet.ts'
import { withAllCodecs } from '../codec-packets.ts'
import { LayeredCamera } from '../layered-camera.ts'
import { type PictureClient, PictureRoom, SLOT_LINES, videoRows } from '../picture-room.ts'
import { vp8Packet } from '../vp8-packets.ts'
import { below } from './mutations.ts'
import { CAMERA_SSRC, PICTURES, reportsAbout, SEQUENCE_EXTENSION } from './seeds.ts'
import type { FuzzTarget } from './targets.ts'

const PACKETS_A_TICK = 50
const MAX_SSRC = 200
const SINGLE = [
  ...withAllCodecs(videoRows('cam', 'sendonly')),
  `a=ssrc-group:FID ${CAMERA_SSRC} ${CAMERA_SSRC + 1}`,
  `a=ssrc:${CAMERA_SSRC} cname:x`,
]

/** Target for all packets of a room's members: a camera with one stream, a camera with layers, and two viewers. */
export function roomTarget(): FuzzTarget {
  const room = new PictureRoom()
  const layered = new LayeredCamera(room)
  const viewers = [room.enter('jonas', [], SLOT_LINES.map(withAllCodecs)), room.enter('kim')]
  const people = [layered.client, room.enter('single', [SINGLE]), ...viewers]
  const cameras = ['mira', 'single'].map((userId) => ({ userId, source: 'camera' as const }))
  for (const viewer of viewers) room.watch(viewer, ...cameras)
  layered.run(5)
  const slots = viewers.flatMap(({ member }) => member.pictures?.viewer.slots.slice(0, 2) ?? [])
  let count = 0
  return {
    name: 'room',
    seeds: [...PICTURES, ...slots.flatMap(({ splice }) => reportsAbout(splice.ssrc))],
    take(bytes, random) {
      count += 1
      const person = people[below(random, people.length)]
      if (person === undefined) return
      if (isRtcp(bytes)) room.report(person, bytes)
      else room.sendBytes(person, bytes)
      if (count % PACKETS_A_TICK > 0) return
      room.pass(50)
      for (const each of people) checkAndForget(each)
      room.told.length = 0
      room.toldCodecs.length = 0
    },
  }
}

function checkAndForget(person: PictureClient): void {
  for (const packet of person.pictures) {
    assert.ok(packet.length <= 1450, `${packet.length} bytes`)
    assert.ok(packet.readUInt32BE(8) > MAX_SSRC, 'it has the source of a slot')
  }
  const published = person.member.pictures?.published ?? []
  assert.ok(published.every(({ layers }) => layers.length <= 3))
  assert.ok(person.missing.every(([, sequences]) => sequences.length <= 100))
  for (const list of [person.pictures, person.keyFrames, person.missing, person.reports]) list.length = 0
}

/** Target for the reports of a viewer about its connection, while it is sent video. */
export function linkTarget(): FuzzTarget {
  let nowMs = 1000
  let sequence = 0
  const repair = { ssrc: 6, payloadType: 97, sequence: 5 }
  const line = { sequence: SEQUENCE_EXTENSION, sentAt: undefined, reportsBandwidth: true, repair }
  const link = new ViewerLink(
    { ...line, isOurs: (ssrc) => ssrc === 5 },
    () => true,
    () => nowMs,
  )
  return {
    name: 'link',
    seeds: reportsAbout(5),
    take(bytes) {
      nowMs += 5
      sequence = (sequence + 1) & 0xffff
      link.send(vp8Packet({ sequence, ssrc: 5, size: 500 }))
      link.receiveReport(bytes, nowMs)
      link.pace(nowMs)
      const bps = link.budgetBps(2, nowMs)
      assert.ok(bps >= 50_000 && bps <= 31_000_000, `a budget of ${bps}`)
      link.probe(bps, { chosenBps: 500_000, wantedBps: 900_000, bestBps: 1_700_000 }, nowMs)
    },
  }
}
