/** Headers for uploaded and proxied files: these cannot run or load anything on our origin, and other sites may embed them. */
export const strangerHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}
