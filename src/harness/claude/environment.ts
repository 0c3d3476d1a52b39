// What Claude Code gets of the daemon's environment.

/** Variables that configure the API's address. Credentials come from elsewhere. */
export const passedOn: readonly string[] = [
  'ANTHROPIC_BASE_URL',
  'API_TIMEOUT_MS',
  'CLAUDE_CODE_MAX_RETRIES',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'LANG',
  'PATH',
  'TZ',
];
