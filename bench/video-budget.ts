// Measures how fast video rates adapt to connections that a relay in this process limits: a viewer who joins with 5 Mbit/s and
// falls to 1 Mbit/s, a viewer with 300 kbit/s beside one without a limit, audio beside video with 1 Mbit/s, and a camera sent with
// 1 Mbit/s.
import { SfuProcess } from '../apps/server/test/voice/sfu-process.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { measureSender, measureSound, measureViewer, measureWeakViewer } from './voice/budget-scenes.ts'

const MAX_JOIN_SECONDS = 6
const MAX_DOWN_SECONDS = 1.5
const MAX_LOST_SOUND = 0.01
const MAX_FREEZE_MS = 1000
const MAX_SOUND_LATER_MS = 20
/** Maximum relative change of the other viewer's rate, which varies this much between measurements anyway. */
const MAX_CHANGE = 0.05

const options = readOptions({ seconds: 20 }, { seconds: 1 })
const sfu = await SfuProcess.start()
const viewer = await measureViewer(sfu, options.numbers)
const weak = await measureWeakViewer(sfu, options.numbers)
const sound = await measureSound(sfu, options.numbers)
const sender = await measureSender(sfu, options.numbers)
await sfu.stop()
const change = Math.abs(weak.besideBps / weak.aloneBps - 1)
const limits: [isBroken: boolean, problem: string][] = [
  [viewer.joinSeconds > MAX_JOIN_SECONDS, `over ${MAX_JOIN_SECONDS} s to four fifths of the line`],
  [viewer.downSeconds > MAX_DOWN_SECONDS, `over ${MAX_DOWN_SECONDS} s until a viewer is sent less`],
  [sender.upSeconds > MAX_DOWN_SECONDS, `over ${MAX_DOWN_SECONDS} s until a sender may send less`],
  [weak.weakGapMs > MAX_FREEZE_MS, `the picture on the slow line stands still for over ${MAX_FREEZE_MS} ms`],
  [
    sound.besideMs - sound.aloneMs > MAX_SOUND_LATER_MS,
    `pictures delay sounds by over ${MAX_SOUND_LATER_MS} ms`,
  ],
  [weak.weakLostSound > MAX_LOST_SOUND, 'the viewer on the slow line misses sound'],
  [change > MAX_CHANGE, 'the viewer on the slow line changes the picture of the other'],
]
report({
  ...options,
  name: 'video-budget',
  problems: [
    ...(weak.aloneBps === 0 ? ['no picture arrives'] : []),
    ...limits.flatMap(([isBroken, problem]) => (isBroken && !options.isSmoke ? [problem] : [])),
  ],
  figures: {
    join_seconds_to_4_mbits_of_5: viewer.joinSeconds,
    seconds_until_less_is_sent_to_a_viewer: viewer.downSeconds,
    seconds_until_less_is_sent_by_a_camera: sender.upSeconds,
    kbits_permitted_on_1_mbits: sender.permittedBps / 1000,
    strong_viewer_kbits_alone: weak.aloneBps / 1000,
    strong_viewer_kbits_beside_a_weak_one: weak.besideBps / 1000,
    weak_viewer_kbits_of_300: weak.weakBps / 1000,
    weak_viewer_lost_share_of_sound: weak.weakLostSound,
    weak_viewer_longest_freeze_ms: weak.weakGapMs,
    sound_p99_ms_alone_on_1_mbits: sound.aloneMs,
    sound_p99_ms_beside_pictures_on_1_mbits: sound.besideMs,
  },
})
process.exit()
