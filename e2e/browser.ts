import { type Browser, chromium } from 'playwright-core'
import { chromiumFiles } from './chromium-files.ts'

export interface BrowserOptions {
  /** Provides a microphone that beeps once a second, without a permission prompt. By default there is none. */
  microphone?: boolean
}

const FAKE_MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/**
 * Launches a headless Chromium. The flags that its package recommends are for single-process hosts. They are left out,
 * because they turn off the checks between origins that the tests cover.
 */
export async function launchBrowser({ microphone = false }: BrowserOptions = {}): Promise<Browser> {
  const { executable, environment } = await chromiumFiles()
  return chromium.launch({
    executablePath: executable,
    env: definedOnly(environment),
    // The sandbox works neither as root nor in containers. The browser opens only our own pages.
    args: ['--no-sandbox', '--disable-gpu', ...(microphone ? FAKE_MICROPHONE : [])],
  })
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
