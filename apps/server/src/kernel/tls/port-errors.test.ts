import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainPort } from './port-errors.ts'

test('HTTPS-10: a port that only root may open is explained with the ways to open it', () => {
  const error = Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:443'), { code: 'EACCES' })
  const words = explainPort('HTTPS_PORT', 443, error)
  assert.match(words, /^port 443 \(HTTPS_PORT\) cannot be opened: only root may\. One of these helps: /)
  for (const way of [
    'sysctl net.ipv4.ip_unprivileged_port_start=80',
    `setcap cap_net_bind_service=+ep ${process.execPath}`,
    'AmbientCapabilities=CAP_NET_BIND_SERVICE',
    'HTTPS_PORT and HTTP_PORT',
  ])
    assert.ok(words.includes(way), way)
  assert.equal(explainPort('HTTP_PORT', 80, 'odd'), 'port 80 (HTTP_PORT) cannot be opened: odd')
})
