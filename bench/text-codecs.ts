// Measures how sharp a shared text is in each codec at the same bitrate, and how long its encoder takes.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { launchBrowser } from '../e2e/browser.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { sendText } from './voice/text-sharpness.ts'

const options = readOptions({ kbits: 500, pages: 15, ms: 2000 }, { pages: 1, ms: 500 })
const { kbits, pages, ms } = options.numbers
const site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<body>')).listen(
  0,
)
await once(site, 'listening')
const browser = await launchBrowser()
const figures: Record<string, number> = { kbits, pages, ms_per_page: ms }
for (const codec of ['VP8', 'VP9', 'AV1']) {
  const page = await browser.newPage()
  await page.goto(`http://localhost:${Object(site.address()).port}/`)
  const run = { codec, bitrate: kbits * 1000, pages, msPerPage: ms }
  const { likenessDb, encodeMsPerFrame, bytesPerPage } = await sendText(page, run)
  const name = codec.toLowerCase()
  figures[`${name}_psnr_p50_db`] = percentile(likenessDb, 0.5)
  figures[`${name}_encode_ms_per_frame`] = encodeMsPerFrame
  figures[`${name}_bytes_per_page`] = bytesPerPage
  await page.close()
}
await browser.close()
site.close()
report({ ...options, name: 'text-codecs', problems: [], figures })
process.exit()
