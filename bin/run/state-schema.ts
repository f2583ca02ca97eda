// What a state file must hold to be gone on from. Internal: a run of another version does not read it.
const attempt = {
  type: 'object',
  required: ['method', 'path', 'rawHeaders', 'bodyBase64', 'arrivedAt'],
  properties: {
    method: { type: 'string' },
    path: { type: 'string' },
    rawHeaders: { type: 'array', items: { type: 'string' } },
    bodyBase64: { type: 'string' },
    arrivedAt: { type: 'number' },
    isSecure: { type: 'boolean' },
  },
}

const watch = {
  type: 'object',
  required: ['webhooks', 'events'],
  properties: {
    webhooks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'id', 'secret', 'attempts'],
        properties: {
          path: { type: 'string' },
          id: { type: 'string' },
          secret: { type: 'string' },
          attempts: { type: 'array', items: attempt },
        },
      },
    },
    events: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'type', 'data'],
        properties: { id: { type: 'string' }, type: { type: 'string' }, data: { type: 'object' } },
      },
    },
  },
}

const observations = {
  type: 'object',
  required: ['counts', 'sightings'],
  properties: {
    counts: { type: 'object', additionalProperties: { type: 'number' } },
    sightings: {
      type: 'array',
      items: { type: 'object', required: ['requirement', 'what', 'expected', 'caseId'] },
    },
  },
}

const result = {
  type: 'object',
  required: ['id', 'suite', 'title', 'level', 'requirements', 'status', 'known_failure', 'duration_ms'],
  properties: {
    status: { enum: ['passed', 'failed'] },
    requirements: { type: 'array', items: { type: 'string' } },
    duration_ms: { type: 'number' },
  },
}

export const stateSchema = {
  type: 'object',
  required: ['schema', 'version', 'base_url', 'seed', 'listening_until', 'memory'],
  properties: {
    version: { type: 'string' },
    base_url: { type: 'string' },
    seed: { type: 'integer' },
    listening_until: { type: 'number' },
    memory: {
      type: 'object',
      required: ['results', 'watches', 'observations', 'absences'],
      properties: {
        results: { type: 'object', additionalProperties: result },
        watches: { type: 'object', additionalProperties: watch },
        observations,
        absences: {
          type: 'array',
          items: {
            type: 'object',
            required: ['from', 'to'],
            properties: { from: { type: 'number' }, to: { type: 'number' } },
          },
        },
        sinkPort: { type: 'integer', minimum: 1, maximum: 65535 },
      },
    },
  },
}
