/** The WebSocket of the platform. Node 20 has none: there it is the one of the library `ws`, which nothing else loads. */
export function webSocketClass(): typeof WebSocket {
  if (typeof WebSocket !== 'undefined') return WebSocket
  // Without an import, so that no bundler puts the library into a page.
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)('ws').WebSocket
}
