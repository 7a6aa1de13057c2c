import assert from 'node:assert/strict'

/** What GitHub tells a webhook when somebody has pushed. */
export async function push(url: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
    body: JSON.stringify(payload),
  })
  assert.equal(answer.status, 204)
}

const payload = {
  ref: 'refs/heads/main',
  compare: 'https://git.example/hikers/site/compare/1...2',
  repository: { full_name: 'hikers/site', html_url: 'https://git.example/hikers/site' },
  sender: { login: 'lena', html_url: 'https://git.example/lena', avatar_url: '' },
  commits: [
    {
      id: 'a3f1c2d4e5f60718293a4b5c6d7e8f9012345678',
      message: 'Mend the gate',
      url: 'https://git.example/hikers/site/commit/a3f1c2d',
      author: { name: 'Lena' },
    },
  ],
}
