import { type Browser, chromium } from 'playwright-core'
import { chromiumFiles } from './chromium-files.ts'

export interface BrowserOptions {
  /** A microphone that beeps once a second, and that pages get without asking. Without it there is none. */
  microphone?: boolean
}

const FAKE_MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/**
 * A headless Chromium. Not with the flags that its package recommends: they are for single-process hosts,
 * and turn off the very checks between origins that are under test.
 */
export async function launchBrowser({ microphone = false }: BrowserOptions = {}): Promise<Browser> {
  const { executable, environment } = await chromiumFiles()
  return chromium.launch({
    executablePath: executable,
    env: definedOnly(environment),
    // Its sandbox needs rights that neither root nor containers give it; it opens nothing but our own pages.
    args: ['--no-sandbox', '--disable-gpu', ...(microphone ? FAKE_MICROPHONE : [])],
  })
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
