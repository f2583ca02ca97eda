import { describe, expect, it } from 'vitest'
import { Orgs } from './orgs.js'
import { jsonReply, type NoisyRequest } from './noise.js'

function requestOf(method: string, path: string, body: unknown = {}): NoisyRequest {
  return { method, path, headers: {}, body: Buffer.from(JSON.stringify(body)), isUpgrade: false, connection: 0 }
}

const made = jsonReply(201, {
  workspace_id: 'a workspace',
  projects: [
    { org_id: 'org_1', api_key: 'key_1', inboxes: [{ api_key: 'key_1a' }, { api_key: 'key_1b' }] },
    { org_id: 'org_2', api_key: 'key_2', inboxes: [] },
  ],
})

function learned(): Orgs {
  const orgs = new Orgs()
  orgs.learn(requestOf('POST', '/_control/workspaces'), made)
  return orgs
}

describe('orgs', () => {
  it('knows the org of each key of a workspace, of the org and of its inboxes, and treats an unknown key as an org', () => {
    const orgs = learned()
    expect(['key_1', 'key_1a', 'key_1b', 'key_2', 'another'].map((key) => orgs.of(key))).toEqual([
      'org_1',
      'org_1',
      'org_1',
      'org_2',
      'another',
    ])
  })

  it('learns from the answer to the create of a workspace alone', () => {
    const orgs = new Orgs()
    orgs.learn(requestOf('GET', '/_control/workspaces'), made)
    orgs.learn(requestOf('POST', '/_control/events'), made)
    expect(orgs.of('key_1')).toBe('key_1')
  })

  it('takes a request about a workspace for one about each of its orgs, and one that names an org for one about that', () => {
    const orgs = learned()
    expect(orgs.namedBy(requestOf('POST', '/_control/workspaces/a%20workspace/advance?x=1'))).toEqual([
      'org_1',
      'org_2',
    ])
    expect(orgs.namedBy(requestOf('POST', '/_control/workspaces/another/advance', { org_id: 'org_1' }))).toEqual([])
    expect(orgs.namedBy(requestOf('POST', '/_control/events', { org_id: 'org_2' }))).toEqual(['org_2'])
    for (const body of [{ org_id: 1 }, {}, null, 'org_1'])
      expect(orgs.namedBy(requestOf('POST', '/_control/events', body))).toEqual([])
  })
})
