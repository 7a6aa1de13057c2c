// Measures how long a call is without sound and pictures after a process of --services=voice is killed, while another one runs: two
// people in Chromium with microphones and cameras, from the kill until the page has received sound and decoded a picture over its next
// connection.

import { setTimeout as sleep } from 'node:timers/promises'
import { launchBrowser } from '../e2e/browser.ts'
import { type Program, startProgram } from '../e2e/program.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Joined, withJoined } from './server/joined.ts'
import { figuresOf, type Recovery, RecoveryScene, recoveryLimits } from './voice/recovery.ts'

/** Time in which the processes learn of each other before a kill. A process trusts the silence of a host only after 5 s. */
const SETTLING_MS = 7000

const options = readOptions({ kills: 8 }, { kills: 1 })
const recovered = await withJoined(['api,gateway,jobs'], measure)
const figures = figuresOf(recovered)
const limits: [isBroken: boolean, problem: string][] = [
  [
    figures.sound_back_p50_ms > recoveryLimits.soundMs,
    `half of the calls were over ${recoveryLimits.soundMs} ms without sound`,
  ],
  [
    figures.pictures_back_p50_ms > recoveryLimits.pictureMs,
    `half were over ${recoveryLimits.pictureMs} ms without pictures`,
  ],
]
report({
  ...options,
  name: 'voice-host-recovery',
  problems: limits.flatMap(([isBroken, problem]) => (isBroken && !options.isSmoke ? [problem] : [])),
  figures: { kills: options.numbers.kills, ...figures },
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
