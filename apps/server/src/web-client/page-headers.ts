import type { Config } from '../config.ts'

export type PageSettings = Pick<Config, 'publicUrl' | 'allowedPrivateHosts'> & {
  voice: Pick<Config['voice'], 'livekit'>
}

/**
 * Headers of the page. Nothing but our own files runs, and no other site frames them or learns where the user was. Pictures
 * and media come from whatever storage a space has: any origin, which the browser learns from a redirect or a signed address.
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
 * The server, the gateway, and the buckets that take large files directly. The page is the same for everybody, and spaces
 * choose their buckets: their hosts are not known here. No WebSocket leads anywhere but to the server and its LiveKit.
 */
function connectSources(settings: PageSettings): string[] {
  const { publicUrl, voice } = settings
  const known = [publicUrl, voice.livekit?.url].flatMap((url) => (url === undefined ? [] : originsOf(url)))
  const uploads = takesPlainUploads(settings) ? ['https:', 'http:'] : ['https:']
  return [...new Set(["'self'", ...uploads, ...known])]
}

/** A page that came by https may not send to http, unless the operator lets buckets be on private hosts. */
function takesPlainUploads({ publicUrl, allowedPrivateHosts }: PageSettings): boolean {
  return publicUrl?.startsWith('https:') !== true || allowedPrivateHosts.length > 0
}

/** An address's origin as WebSockets and requests name it. */
function originsOf(url: string): string[] {
  const origin = url.replace(/^ws/, 'http').split('/', 3).join('/')
  return [origin.replace(/^http/, 'ws'), origin]
}
