import { type Browser, chromium } from 'playwright-core'
import { chromiumFiles } from './chromium-files.ts'

export interface BrowserOptions {
  /**
   * Provides a microphone without a permission prompt: true for one that beeps once a second, or the path of a WAV file that
   * it plays in a loop. By default, there is no microphone.
   */
  microphone?: boolean | string
  /** False for a browser that cannot use UDP, as in networks that only allow web traffic. */
  udp?: boolean
  /** Addresses of host names that are not in the DNS, by name. A port is optional. */
  names?: Readonly<Record<string, string>>
  /** Keys of certificates to accept besides those of known authorities: SHA-256 of the key, in Base64. */
  trustedKeys?: readonly string[]
}

/** Flag that restricts WebRTC to TCP. It also allows UDP through a proxy, but there is none here. */
const NO_UDP = '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'
const FAKE_MICROPHONE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/**
 * Launches a headless Chromium. Leaves out the flags that its package recommends for single-process hosts,
 * because they turn off the checks between origins that the tests cover.
 */
export async function launchBrowser({
  microphone = false,
  udp = true,
  names = {},
  trustedKeys = [],
}: BrowserOptions = {}): Promise<Browser> {
  const { executable, environment } = await chromiumFiles()
  return chromium.launch({
    executablePath: executable,
    env: definedOnly(environment),
    // The sandbox works neither as root nor in containers. The browser opens only our own pages.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      ...(microphone === false ? [] : FAKE_MICROPHONE),
      ...(typeof microphone === 'string' ? [`--use-file-for-fake-audio-capture=${microphone}`] : []),
      ...(udp ? [] : [NO_UDP]),
      ...reachFlags(names, trustedKeys),
    ],
  })
}

/** Returns flags that resolve the names without DNS and proxies, and accept certificates with the keys. */
function reachFlags(names: Readonly<Record<string, string>>, trustedKeys: readonly string[]): string[] {
  const rules = Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`)
  return [
    ...(rules.length === 0 ? [] : ['--no-proxy-server', `--host-resolver-rules=${rules.join(',')}`]),
    ...(trustedKeys.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${trustedKeys.join(',')}`]),
  ]
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
