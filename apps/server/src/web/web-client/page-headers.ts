import type { Config } from '../../config.ts'

export const SOUND_FRAME = 'sound-frame.html'

export type PageSettings = Pick<Config, 'publicUrl' | 'allowedPrivateHosts'> & {
  voice: Pick<Config['voice'], 'livekit'>
}

/**
 * Returns the page's headers. Only the server's own scripts run, and other sites can neither frame the page nor learn
 * its address. Pictures and media may come from any origin, because each space has its own storage.
 */
export function pageHeadersFor(settings: PageSettings): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'self'",
      `connect-src ${connectSources(settings).join(' ')}`,
      "img-src 'self' data: blob: https: http:",
      "media-src 'self' blob: https: http:",
      "style-src 'self'",
      "script-src 'self'",
      "worker-src 'self'",
      "object-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy':
      'camera=(self), microphone=(self), display-capture=(self), geolocation=(), payment=(), usb=()',
  }
}

/**
 * Headers of the one page that may run WebAssembly, which the client's own policy forbids. The client opens this
 * empty page in a frame for its noise suppression worklet.
 */
export const soundFrameHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
}

/**
 * Returns the allowed targets of requests: the server, the gateway, and any https host, because clients upload large
 * files directly to spaces' buckets, whose hosts are not known here. WebSockets may only go to the server and its
 * LiveKit.
 */
function connectSources(settings: PageSettings): string[] {
  const { publicUrl, voice } = settings
  const known = [publicUrl, voice.livekit?.url].flatMap((url) => (url === undefined ? [] : originsOf(url)))
  const uploads = takesPlainUploads(settings) ? ['https:', 'http:'] : ['https:']
  return [...new Set(["'self'", ...uploads, ...known])]
}

/**
 * Returns true if uploads may use http. A page loaded by https may not send to http, unless the operator allows
 * buckets on private hosts.
 */
function takesPlainUploads({ publicUrl, allowedPrivateHosts }: PageSettings): boolean {
  return publicUrl?.startsWith('https:') !== true || allowedPrivateHosts.length > 0
}

/** Returns an address's origin in the schemes of WebSockets and requests. */
function originsOf(url: string): string[] {
  const origin = url.replace(/^ws/, 'http').split('/', 3).join('/')
  return [origin.replace(/^http/, 'ws'), origin]
}
