// Measures how long Chromium and Firefox take to connect where a network drops all UDP: from the offer until media flows.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { SfuProcess } from '../apps/server/test/voice/sfu-process.ts'
import { launchBrowser } from '../e2e/browser.ts'
import { eventually } from '../e2e/eventually.ts'
import { Firefox, noFirefox, ownAddresses } from '../e2e/firefox.ts'
import { PROTOCOLS, withoutUdp } from '../e2e/without-udp.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'

const MAX_MS = 3000
const SLOTS = 8
const OFFER = `(async () => {
  window.beganAt = performance.now()
  window.peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  peer.addTransceiver('audio', { direction: 'sendonly' })
  for (let slot = 0; slot < ${SLOTS}; slot += 1) peer.addTransceiver('audio', { direction: 'recvonly' })
  await peer.setLocalDescription(await peer.createOffer())
  return peer.localDescription.sdp
})()`
const CONNECTED = `(async () => {
  while (peer.connectionState !== 'connected') {
    if (peer.connectionState === 'failed') throw new Error('the connection failed')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return performance.now() - beganAt
})()`

/** A browser with one page. */
interface Page {
  evaluate(expression: string): Promise<string>
  close(): Promise<unknown>
}

const options = readOptions({ times: 30 }, { times: 2 })
const { times } = options.numbers
const silent = createSocket('udp4').bind(0)
await once(silent, 'listening')
// Needed because Firefox does not connect WebRTC in pages without an address.
const site = createServer((_, answer) => answer.end('mira')).listen(0)
await once(site, 'listening')
const url = `http://localhost:${Object(site.address()).port}/`
const sfu = await SfuProcess.start({ addresses: ownAddresses(), tcpPort: 0 })
const chromium = await measure(await openChromium())
const firefox = noFirefox === false ? await measure(await openFirefox()) : []
await sfu.stop()
site.close()
silent.close()
const slowest = Math.max(...[chromium, firefox].map((all) => percentile(all, 0.95)))
report({
  ...options,
  name: 'voice-tcp',
  problems: slowest > MAX_MS && !options.isSmoke ? [`over ${MAX_MS} ms without UDP`] : [],
  figures: {
    times,
    ...figuresOf('chromium', chromium),
    ...figuresOf('firefox', firefox),
  },
})
process.exit()

/** @returns for each connection, the milliseconds from the offer until media flows */
async function measure(page: Page): Promise<number[]> {
  const results: number[] = []
  for (let time = 0; time < times; time += 1) {
    await sfu.join('mira', 'lounge')
    const answer = await sfu.signal('mira', await page.evaluate(OFFER))
    const sdp = withoutUdp(answer, silent.address().port)
    const description = JSON.stringify({ type: 'answer', sdp })
    await page.evaluate(`peer.setRemoteDescription(${description}).then(() => 'set')`)
    results.push(Number(await page.evaluate(CONNECTED)))
    await eventually(() => page.evaluate(PROTOCOLS), 'tcp')
    await page.evaluate('peer.close()')
    await sfu.ask('kick', { sessionId: 'mira' })
  }
  await page.close()
  return results
}

async function openChromium(): Promise<Page> {
  const browser = await launchBrowser({ microphone: true })
  const page = await browser.newPage()
  await page.goto(url)
  return {
    evaluate: async (expression) => String(await page.evaluate(expression)),
    close: () => browser.close(),
  }
}

async function openFirefox(): Promise<Page> {
  const firefox = await Firefox.open()
  await firefox.goto(url)
  return firefox
}

function figuresOf(browser: string, connectedMs: readonly number[]): Record<string, number> {
  if (connectedMs.length === 0) return {}
  return {
    [`${browser}_connected_p50_ms`]: percentile(connectedMs, 0.5),
    [`${browser}_connected_p95_ms`]: percentile(connectedMs, 0.95),
  }
}
