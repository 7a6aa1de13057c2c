/** Returns the platform's WebSocket class. Node 20 has none, so the library `ws` is used. */
export function webSocketClass(): typeof WebSocket {
  if (typeof WebSocket !== 'undefined') return WebSocket
  // Not an import, so that bundlers leave the library out of pages.
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)('ws').WebSocket
}
