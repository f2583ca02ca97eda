import type { CommandPath } from './options.js'

const examplesByPath: Readonly<Record<Exclude<CommandPath, 'vectors' | 'control'>, readonly string[]>> = {
  run: [
    'conformance run --base-url https://api.example.com --api-key "$API_KEY"',
    'conformance run --reference --suite service/retries --reporter html=report.html',
  ],
  cleanup: [
    'conformance cleanup --base-url https://api.example.com --api-key "$API_KEY"',
    'conformance cleanup --journal run.journal --base-url https://api.example.com --api-key "$API_KEY"',
  ],
  receiver: [
    'conformance receiver --url http://localhost:3000/webhooks --secret "$WEBHOOK_SECRET"',
    'conformance receiver --url http://localhost:3000/stripe --scheme stripe --secret "$STRIPE_SECRET"',
  ],
  sender: [
    'conformance sender --secret "$WEBHOOK_SECRET" --trigger ./send-one.sh',
    'conformance sender --secret "$WEBHOOK_SECRET" --wait --listen 127.0.0.1:8443',
  ],
  verifier: [
    'conformance verifier -- python3 driver.py',
    "conformance verifier --case 'verifier/timestamp/*' -- node driver.mjs",
  ],
  client: ['conformance client -- node driver.mjs', 'conformance client --level must -- python3 driver.py'],
  ui: [
    'conformance ui --reference',
    'conformance ui receiver --url http://localhost:3000/webhooks --secret "$WEBHOOK_SECRET"',
  ],
  serve: ['conformance serve --port 8080 --with-receiver', 'conformance serve receiver --secret "$WEBHOOK_SECRET"'],
  'control check': [
    'conformance control check http://localhost:8080/_control --control-key "$CONTROL_KEY"',
    'conformance control check --control-command ./control.py --base-url http://localhost:8080',
  ],
  sign: [
    'conformance sign --secret "$WEBHOOK_SECRET" --body event.json',
    'echo \'{"id":"evt_1"}\' | conformance sign --secret "$WEBHOOK_SECRET" --body -',
  ],
  verify: [
    'conformance verify --secret "$WEBHOOK_SECRET" --request delivery.http',
    'conformance verify --secret "$WEBHOOK_SECRET" --headers headers.txt --body body.json --now 1700000000',
  ],
  send: [
    'conformance send --url http://localhost:3000/webhooks --secret "$WEBHOOK_SECRET" --event message.bounced',
    'conformance send --url http://localhost:3000/webhooks --from capture.ndjson --sign-with "$WEBHOOK_SECRET"',
  ],
  listen: [
    'conformance listen --forward-to http://localhost:3000/webhooks --secret "$WEBHOOK_SECRET"',
    'conformance listen --record capture.ndjson',
  ],
  diagnose: [
    'conformance diagnose --secret "$WEBHOOK_SECRET" --request delivery.http',
    'conformance diagnose --secret "$WEBHOOK_SECRET" --headers headers.txt --body body.json',
  ],
  observe: [
    'conformance observe --base-url https://api.example.com --listen 127.0.0.1:8080',
    'conformance observe --from traffic.har --base-url https://api.example.com',
  ],
  'vectors generate': [
    'conformance vectors generate --count 100 --out vectors.json',
    'conformance vectors generate --scheme github --format ndjson',
  ],
  'vectors check': ['conformance vectors check vectors.json', 'conformance vectors check vectors.ndjson'],
  schemes: ['conformance schemes', 'conformance schemes --json'],
  'schemes show': ['conformance schemes show stripe', 'conformance schemes show ./own-scheme.json'],
  list: ['conformance list --subject receiver', 'conformance list --requirements --json'],
  explain: ['conformance explain WHK-001', 'conformance explain service/retries'],
  coverage: ['conformance coverage --subject service', 'conformance coverage --sentences'],
  selftest: ['conformance selftest --subject receiver', "conformance selftest --mutant 'server/takes-*' --diff"],
  report: [
    'conformance report shard-1.json shard-2.json --reporter html=report.html',
    'conformance report --compare before.json after.json',
  ],
  init: [
    'conformance init',
    'conformance init --subject receiver --url http://localhost:3000/webhooks --ci github --yes',
  ],
  help: ['conformance help --all', 'conformance help vectors generate'],
  completion: ['source <(conformance completion bash)', 'conformance completion fish | source'],
}

/** Two uses of each command that does something, by its path. */
export const examples: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(examplesByPath))
