import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const MAX_MS = 120_000

const names = [
  'send',
  'fan-out',
  'latency',
  'two-gateways',
  'idle-memory',
  'cold-start',
  'access-change',
  'permission-checks',
  'multipart-uploads',
  'download-redirects',
  'direct-upload',
  'history',
  'audit-log',
  'automod',
  'moderation',
  'raid',
  'peers',
  'ready',
  'resume-storm',
  'presence',
  'search',
  'storage-growth',
  'bus-listening',
  'fairness',
  'voice-forwarding',
  'voice-delay',
  'voice-join',
  'voice-pictures',
  'video-budget',
  'packet-fuzz',
  'voice-screen',
  'first-picture',
  'picture-delay',
  'picture-loss',
  'voice-recovery',
  'voice-host-recovery',
  'voice-lips',
  'voice-revoked',
  'voice-tcp',
  'text-codecs',
  'web-client',
  'puzzle',
  'noise-suppression',
  'backup',
  'exports',
  'space-archives',
  'threads',
  'web-pages',
  'forums',
]

for (const name of names) {
  test(`the benchmark ${name} works, and everything sent arrives`, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, `${name}.ts`), '--smoke'],
      { encoding: 'utf8', timeout: MAX_MS },
    )
    assert.equal(status, 0, `${stdout}${stderr}`)
    assert.doesNotMatch(stdout, /NaN|Infinity/)
  })
}
