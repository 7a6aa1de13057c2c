// Measures how long a call is without sound and pictures after a process of --services=voice is killed, while another one runs: two
// people in Chromium with microphones and cameras, from the kill until the page has received sound and decoded a picture over its next
// connection.

import { setTimeout as sleep } from 'node:timers/promises'
import { launchBrowser } from '../e2e/browser.ts'
import { type Program, startProgram } from '../e2e/program.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Joined, withJoined } from './server/joined.ts'
import { type Recovery, RecoveryScene } from './voice/recovery.ts'

const MAX_SOUND_MS = 2000
const MAX_PICTURE_MS = 3000
/** Time in which the processes learn of each other before a kill. The silence of a host is trusted after five seconds. */
const SETTLING_MS = 7000

const options = readOptions({ kills: 8 }, { kills: 1 })
const recovered = await withJoined(['api,gateway,jobs'], measure)
const sounds = recovered.map(({ soundMs }) => soundMs)
const pictures = recovered.map(({ pictureMs }) => pictureMs)
const limits: [isBroken: boolean, problem: string][] = [
  [percentile(sounds, 0.5) > MAX_SOUND_MS, `half of the calls were over ${MAX_SOUND_MS} ms without sound`],
  [percentile(pictures, 0.5) > MAX_PICTURE_MS, `half were over ${MAX_PICTURE_MS} ms without pictures`],
]
report({
  ...options,
  name: 'voice-host-recovery',
  problems: limits.flatMap(([isBroken, problem]) => (isBroken && !options.isSmoke ? [problem] : [])),
  figures: {
    kills: options.numbers.kills,
    sound_back_p50_ms: percentile(sounds, 0.5),
    sound_back_max_ms: percentile(sounds, 1),
    pictures_back_p50_ms: percentile(pictures, 0.5),
    pictures_back_max_ms: percentile(pictures, 1),
  },
})
process.exit()

async function measure({ dataDir, settings, processes }: Joined): Promise<Recovery[]> {
  const [first] = processes
  if (first === undefined) throw new Error('a process serves the web client')
  const startHost = () => startProgram({ dataDir, environment: { ...settings, SERVICES: 'voice' } })
  let host: Program = await startHost()
  const browser = await launchBrowser({ microphone: true })
  const recoveries: Recovery[] = []
  try {
    const scene = await RecoveryScene.open({ url: `http://127.0.0.1:${first.port}` }, browser)
    for (let count = 0; count < options.numbers.kills; count += 1) {
      const next = await startHost()
      await sleep(SETTLING_MS)
      recoveries.push(...(await scene.interrupt(() => host.kill())))
      host = next
    }
  } finally {
    await browser.close()
    await host.stop()
  }
  return recoveries
}
