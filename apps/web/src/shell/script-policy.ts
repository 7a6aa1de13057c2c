/**
 * Allows scripts and workers only from the build. The server's policy `'self'` includes uploaded files, because a server behind
 * a proxy does not know its own origin. The page does, and adds a stricter policy. The browser enforces both.
 */
export function allowOnlyBuild({ document, location }: Pick<Window, 'document' | 'location'>): void {
  const { origin, hostname } = location
  // A policy cannot name an IPv6 address. Without a valid source, it would block all scripts.
  if (hostname.startsWith('[')) return
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = `script-src ${origin}/assets/; worker-src ${origin}/assets/ ${origin}/worker.js`
  document.head.append(policy)
}
