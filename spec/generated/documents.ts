// Generated from openapi.yaml, control.yaml and asyncapi.yaml by spec/generate.js; changes here are lost.

/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>

/** spec/openapi.yaml, parsed. */
export const openapiDocument: JsonObject = {
  "openapi": "3.1.0",
  "info": {
    "title": "Email Event and Webhook Interface",
    "version": "1",
    "summary": "Webhooks, event polling, the event stream, and the sending calls the client library reveals.",
    "license": {
      "name": "MIT",
      "identifier": "MIT"
    },
    "description": "The machine-readable twin of `interface.md`. `Source:` names the heading of that page a part rests on.\n\nExchanges with unknown targets are validated against this document, so it is never stricter than the page:\n\n- Unknown fields are legal everywhere; no object is closed.\n- What the page calls \"not shown\" has the empty schema, or an `x-open-point` naming the entry of `open-points.ts`.\n- A field without a stated type has no type here. A stated field that a correct service may not know yet may be null or absent.\n\n`x-requirement` on a schema names the requirement that a mismatch at that place contradicts. A mismatch below `data` of an\nevent falls back on the `x-requirement` of the event's own schema, any other one on that of the response or request.\n"
  },
  "servers": [
    {
      "url": "{base_url}",
      "description": "Every path is relative to the base address; the prefix `/v1` is part of the paths. Source",
      "variables": {
        "base_url": {
          "default": "https://api.example.com"
        }
      }
    }
  ],
  "security": [
    {
      "bearer": []
    }
  ],
  "tags": [
    {
      "name": "webhooks",
      "description": "Registered consumers, their deliveries and replay."
    },
    {
      "name": "events",
      "description": "Polling and the stream."
    },
    {
      "name": "emails",
      "description": "Sending calls revealed by the client library."
    }
  ],
  "paths": {
    "/v1/webhooks": {
      "post": {
        "operationId": "createWebhook",
        "tags": [
          "webhooks"
        ],
        "summary": "Create a webhook",
        "description": "The secret is returned here and never again. Source: #create-a-webhook.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "example": {
                "url": "https://example.com/hooks",
                "event_types": [
                  "message.received"
                ]
              },
              "schema": {
                "$ref": "#/components/schemas/WebhookRequest"
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The webhook with its secret.",
            "x-requirement": "WHK-002",
            "content": {
              "application/json": {
                "example": {
                  "id": "whk_1",
                  "url": "https://example.com/hooks",
                  "event_types": [
                    "message.received"
                  ],
                  "inbox_id": null,
                  "secret": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
                },
                "schema": {
                  "$ref": "#/components/schemas/CreatedWebhook"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "4XX": {
            "$ref": "#/components/responses/RefusedUrl"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      },
      "get": {
        "operationId": "listWebhooks",
        "tags": [
          "webhooks"
        ],
        "summary": "List webhooks",
        "description": "Secrets are never included. Source: #list-webhooks.",
        "responses": {
          "200": {
            "description": "The webhooks; the shape of the list is not shown. An item that is found is a `Webhook`.",
            "x-open-point": "webhook-list-envelope",
            "x-requirement": "WHK-011",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "whk_1",
                      "url": "https://example.com/hooks",
                      "event_types": [
                        "message.received"
                      ],
                      "inbox_id": null
                    }
                  ]
                },
                "schema": {
                  "$ref": "#/components/schemas/WebhookList"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "The webhooks; the shape of the list is not shown. An item that is found is a `Webhook`.",
            "x-open-point": "webhook-list-envelope",
            "x-requirement": "WHK-011",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "whk_1",
                      "url": "https://example.com/hooks",
                      "event_types": [
                        "message.received"
                      ],
                      "inbox_id": null
                    }
                  ]
                },
                "schema": {
                  "$ref": "#/components/schemas/WebhookList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/webhooks/{id}": {
      "delete": {
        "operationId": "deleteWebhook",
        "tags": [
          "webhooks"
        ],
        "summary": "Delete a webhook",
        "description": "Stops deliveries at once, pending retries included; delivery history is kept. Source: #delete-a-webhook.",
        "parameters": [
          {
            "$ref": "#/components/parameters/WebhookId"
          }
        ],
        "responses": {
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "Deleted. Status and body are not shown; the body may be absent.",
            "x-open-point": "delete-status"
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/webhooks/{id}/deliveries": {
      "get": {
        "operationId": "listDeliveries",
        "tags": [
          "webhooks"
        ],
        "summary": "List deliveries of a webhook",
        "description": "Newest first. Source: #list-deliveries-of-a-webhook.",
        "parameters": [
          {
            "$ref": "#/components/parameters/WebhookId"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "The deliveries; the envelope is not shown. An item that is found is a `Delivery`.",
            "x-open-point": "delivery-list-envelope",
            "x-requirement": "DLV-012",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "dlv_1",
                      "status": "pending",
                      "attempt": 1,
                      "response_code": 500,
                      "response_body_snippet": "Oops",
                      "next_attempt_at": "2026-01-02T03:04:10.678Z"
                    }
                  ]
                },
                "schema": {
                  "$ref": "#/components/schemas/DeliveryList"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "The deliveries; the envelope is not shown. An item that is found is a `Delivery`.",
            "x-open-point": "delivery-list-envelope",
            "x-requirement": "DLV-012",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "dlv_1",
                      "status": "pending",
                      "attempt": 1,
                      "response_code": 500,
                      "response_body_snippet": "Oops",
                      "next_attempt_at": "2026-01-02T03:04:10.678Z"
                    }
                  ]
                },
                "schema": {
                  "$ref": "#/components/schemas/DeliveryList"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
      "post": {
        "operationId": "replayDelivery",
        "tags": [
          "webhooks"
        ],
        "summary": "Replay a delivery",
        "description": "Sends the same event again now, as a new delivery with `replay_of` set to the original. Source: #replay-a-delivery.",
        "parameters": [
          {
            "$ref": "#/components/parameters/WebhookId"
          },
          {
            "$ref": "#/components/parameters/DeliveryId"
          }
        ],
        "responses": {
          "202": {
            "description": "Accepted. The body is not shown, and may be absent.",
            "x-open-point": "replay-body",
            "x-requirement": "RPL-001"
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/events": {
      "get": {
        "operationId": "pollEvents",
        "tags": [
          "events"
        ],
        "summary": "Poll events",
        "description": "Oldest first; events whose id is greater than `after`. A key scoped to one inbox sees only events of its inbox. Source: #poll-events.",
        "parameters": [
          {
            "$ref": "#/components/parameters/After"
          },
          {
            "$ref": "#/components/parameters/Limit"
          }
        ],
        "responses": {
          "200": {
            "description": "A page of events.",
            "x-requirement": "POL-007",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "evt_1",
                      "type": "message.received",
                      "org_id": "org_1",
                      "created_at": "2026-01-02T03:04:05.678Z",
                      "data": {
                        "message_id": "msg_1",
                        "inbox_id": "ibx_1",
                        "thread_id": "thr_1",
                        "from": "ada@sender.example",
                        "subject": "Hello"
                      }
                    }
                  ],
                  "next_after": "evt_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/EventPage"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "A page of events.",
            "x-requirement": "POL-007",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "evt_1",
                      "type": "message.received",
                      "org_id": "org_1",
                      "created_at": "2026-01-02T03:04:05.678Z",
                      "data": {
                        "message_id": "msg_1",
                        "inbox_id": "ibx_1",
                        "thread_id": "thr_1",
                        "from": "ada@sender.example",
                        "subject": "Hello"
                      }
                    }
                  ],
                  "next_after": "evt_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/EventPage"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/events/ws": {
      "get": {
        "operationId": "streamEvents",
        "tags": [
          "events"
        ],
        "summary": "Event stream (WebSocket)",
        "description": "Upgraded to a WebSocket. Each event is one JSON text frame with the same body as a webhook delivery. Without `after` the stream starts from now; with it the stream resumes after that event. Source: #event-stream-websocket.",
        "security": [
          {
            "bearer": []
          },
          {
            "token": []
          }
        ],
        "parameters": [
          {
            "$ref": "#/components/parameters/After"
          }
        ],
        "responses": {
          "101": {
            "description": "Switching protocols. `x-frame` is the schema of every text frame.",
            "x-requirement": "STR-003",
            "x-frame": {
              "$ref": "#/components/schemas/Event"
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "4XX": {
            "description": "The upgrade is refused; how, and with what body, is not shown.",
            "x-open-point": "stream-refusal"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/emails": {
      "post": {
        "operationId": "sendEmail",
        "tags": [
          "emails"
        ],
        "summary": "Send an email",
        "description": "Source: #sending-endpoints-revealed-by-the-client-library.",
        "parameters": [
          {
            "$ref": "#/components/parameters/IdempotencyKey"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "example": {
                "from": "Ada <ada@verified.example>",
                "to": "bob@recipient.example",
                "subject": "Hello",
                "text": "Hi"
              },
              "schema": {
                "$ref": "#/components/schemas/EmailRequest"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "Taken. The success status is not stated.",
            "x-requirement": "SND-001",
            "content": {
              "application/json": {
                "example": {
                  "id": "em_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/SentEmail"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "Taken. The success status is not stated.",
            "x-requirement": "SND-001",
            "content": {
              "application/json": {
                "example": {
                  "id": "em_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/SentEmail"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/RefusedSend"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      },
      "get": {
        "operationId": "listEmails",
        "tags": [
          "emails"
        ],
        "summary": "List emails",
        "description": "`next_cursor` of one page is the `cursor` of the next. Default and maximum of `limit` are not stated. Source: #sending-endpoints-revealed-by-the-client-library.",
        "parameters": [
          {
            "name": "limit",
            "in": "query",
            "description": "Emails of a page.",
            "schema": {
              "type": "integer",
              "minimum": 1
            }
          },
          {
            "name": "cursor",
            "in": "query",
            "description": "The `next_cursor` of the page before.",
            "schema": {
              "type": "string"
            }
          }
        ],
        "responses": {
          "200": {
            "description": "A page of emails.",
            "x-requirement": "SND-008",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "em_1",
                      "status": "delivered",
                      "recipients": [
                        "bob@recipient.example"
                      ]
                    }
                  ],
                  "next_cursor": null
                },
                "schema": {
                  "$ref": "#/components/schemas/EmailPage"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "A page of emails.",
            "x-requirement": "SND-008",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "em_1",
                      "status": "delivered",
                      "recipients": [
                        "bob@recipient.example"
                      ]
                    }
                  ],
                  "next_cursor": null
                },
                "schema": {
                  "$ref": "#/components/schemas/EmailPage"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/emails/batch": {
      "post": {
        "operationId": "sendBatch",
        "tags": [
          "emails"
        ],
        "summary": "Send up to 100 emails",
        "description": "The client option `batchValidation` (`permissive` is shown) travels in a way that is not shown. Source: #sending-endpoints-revealed-by-the-client-library.",
        "x-open-point": "batch-validation",
        "parameters": [
          {
            "$ref": "#/components/parameters/IdempotencyKey"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "example": [
                {
                  "from": "ada@verified.example",
                  "to": "bob@recipient.example",
                  "subject": "Hello",
                  "text": "Hi"
                }
              ],
              "schema": {
                "type": "array",
                "maxItems": 100,
                "items": {
                  "$ref": "#/components/schemas/EmailRequest"
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "Taken. The success status is not stated.",
            "x-requirement": "SND-004",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "em_1"
                    }
                  ]
                },
                "schema": {
                  "$ref": "#/components/schemas/SentBatch"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "Taken. The success status is not stated.",
            "x-requirement": "SND-004",
            "content": {
              "application/json": {
                "example": {
                  "data": [
                    {
                      "id": "em_1"
                    }
                  ]
                },
                "schema": {
                  "$ref": "#/components/schemas/SentBatch"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/RefusedBatch"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/emails/{id}": {
      "get": {
        "operationId": "getEmail",
        "tags": [
          "emails"
        ],
        "summary": "Get an email",
        "description": "Source: #sending-endpoints-revealed-by-the-client-library.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EmailId"
          }
        ],
        "responses": {
          "200": {
            "description": "The email.",
            "x-requirement": "SND-007",
            "content": {
              "application/json": {
                "example": {
                  "id": "em_1",
                  "status": "scheduled",
                  "recipients": [
                    "bob@recipient.example"
                  ],
                  "scheduled_at": "2026-01-02T03:04:05.678Z"
                },
                "schema": {
                  "$ref": "#/components/schemas/Email"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "The email.",
            "x-requirement": "SND-007",
            "content": {
              "application/json": {
                "example": {
                  "id": "em_1",
                  "status": "scheduled",
                  "recipients": [
                    "bob@recipient.example"
                  ],
                  "scheduled_at": "2026-01-02T03:04:05.678Z"
                },
                "schema": {
                  "$ref": "#/components/schemas/Email"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      },
      "patch": {
        "operationId": "updateEmail",
        "tags": [
          "emails"
        ],
        "summary": "Reschedule an email",
        "description": "Source: #sending-endpoints-revealed-by-the-client-library.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EmailId"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "example": {
                "scheduled_at": "2026-01-02T03:04:05.678Z"
              },
              "schema": {
                "$ref": "#/components/schemas/EmailUpdate"
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "Rescheduled.",
            "x-requirement": "SND-010",
            "content": {
              "application/json": {
                "example": {
                  "object": "email",
                  "id": "em_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/EmailReference"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "Rescheduled.",
            "x-requirement": "SND-010",
            "content": {
              "application/json": {
                "example": {
                  "object": "email",
                  "id": "em_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/EmailReference"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    },
    "/v1/emails/{id}/cancel": {
      "post": {
        "operationId": "cancelEmail",
        "tags": [
          "emails"
        ],
        "summary": "Cancel a scheduled email",
        "description": "Source: #sending-endpoints-revealed-by-the-client-library.",
        "parameters": [
          {
            "$ref": "#/components/parameters/EmailId"
          }
        ],
        "responses": {
          "200": {
            "description": "Cancelled.",
            "x-requirement": "SND-011",
            "content": {
              "application/json": {
                "example": {
                  "object": "email",
                  "id": "em_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/EmailReference"
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/RateLimited"
          },
          "2XX": {
            "description": "Cancelled.",
            "x-requirement": "SND-011",
            "content": {
              "application/json": {
                "example": {
                  "object": "email",
                  "id": "em_1"
                },
                "schema": {
                  "$ref": "#/components/schemas/EmailReference"
                }
              }
            }
          },
          "4XX": {
            "$ref": "#/components/responses/Refused"
          },
          "5XX": {
            "$ref": "#/components/responses/ServerFault"
          }
        }
      }
    }
  },
  "webhooks": {
    "event": {
      "post": {
        "operationId": "receiveEvent",
        "tags": [
          "webhooks"
        ],
        "summary": "Webhook delivery request, made by the service to the consumer",
        "description": "Sent to the `url` of a webhook and signed over the raw bytes of its body. The consumer answers with any 2xx within 10 seconds; redirects are not followed and count as failures. An attempt that fails is made again 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours and 10 hours later, seven attempts in all; then the delivery is `failed`. A url that resolves to a private address at that time fails at once with `blocked_private_address`. Source: #webhook-delivery-request-made-by-the-service-to-the-consumer.",
        "security": [],
        "x-requirement": "DLV-002",
        "parameters": [
          {
            "name": "webhook-id",
            "in": "header",
            "required": true,
            "description": "The event id, identical on every retry. Source: #webhook-signature-standard-webhooks.",
            "x-requirement": "SIG-001",
            "schema": {
              "type": "string",
              "pattern": "^evt_"
            }
          },
          {
            "name": "webhook-timestamp",
            "in": "header",
            "required": true,
            "description": "Unix seconds at which this attempt was signed. Source: #webhook-signature-standard-webhooks.",
            "x-requirement": "SIG-002",
            "schema": {
              "type": "string",
              "pattern": "^[0-9]+$"
            }
          },
          {
            "name": "webhook-signature",
            "in": "header",
            "required": true,
            "description": "One or more entries separated by a space; at least one is `v1,<base64>`. Entries of other versions are ignored. Source: #webhook-signature-standard-webhooks.",
            "x-open-point": "signature-entries",
            "x-requirement": "SIG-003",
            "schema": {
              "type": "string",
              "pattern": "(^| )v1,[A-Za-z0-9+/]+={0,2}( |$)"
            }
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "example": {
                "id": "evt_1",
                "type": "message.received",
                "timestamp": "2026-01-02T03:04:05.678Z",
                "data": {
                  "message_id": "msg_1",
                  "inbox_id": "ibx_1",
                  "thread_id": "thr_1",
                  "from": "ada@sender.example",
                  "subject": "Hello"
                }
              },
              "schema": {
                "$ref": "#/components/schemas/Event"
              }
            }
          }
        },
        "responses": {
          "2XX": {
            "description": "The attempt succeeded."
          },
          "default": {
            "description": "The attempt failed, whatever the status; it is repeated per the retry schedule."
          }
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "Authorization: Bearer <API key>. Source #authentication."
      },
      "token": {
        "type": "apiKey",
        "in": "query",
        "name": "token",
        "description": "API key of a WebSocket client that cannot set headers. Source: #event-stream-websocket."
      }
    },
    "parameters": {
      "WebhookId": {
        "name": "id",
        "in": "path",
        "required": true,
        "description": "Id of a webhook.",
        "schema": {
          "type": "string"
        }
      },
      "DeliveryId": {
        "name": "delivery_id",
        "in": "path",
        "required": true,
        "description": "Id of a delivery of that webhook.",
        "schema": {
          "type": "string"
        }
      },
      "EmailId": {
        "name": "id",
        "in": "path",
        "required": true,
        "description": "Id of an email.",
        "schema": {
          "type": "string"
        }
      },
      "After": {
        "name": "after",
        "in": "query",
        "description": "Event id, exclusive: only events with a greater id follow. Source: #event.",
        "schema": {
          "type": "string"
        }
      },
      "Limit": {
        "name": "limit",
        "in": "query",
        "description": "Items of a page. What happens above 100 is not shown for deliveries. Source: #limits.",
        "x-open-point": "limit-above-maximum",
        "schema": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100,
          "default": 50
        }
      },
      "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A send that repeats a key returns the first result. Source: #client-library-behaviour.",
        "schema": {
          "type": "string"
        }
      }
    },
    "responses": {
      "Refused": {
        "description": "An error; its HTTP status is the response status. Codes beyond those that are named here are not shown; neither are the statuses, but 401 or 403 for a request without a valid key, and 404 or 403 for an id that does not exist. Source: #errors.",
        "x-requirement": "ERR-001",
        "content": {
          "application/json": {
            "example": {
              "code": "not_found",
              "message": "There is no webhook with this id.",
              "fix": "Use the id of a webhook that this key can see."
            },
            "schema": {
              "$ref": "#/components/schemas/Error"
            }
          }
        }
      },
      "RefusedSend": {
        "description": "An error. `sender_not_verified` (403): `from` uses a domain that is not a domain of the project. Other codes are not shown. Source: #errors.",
        "x-requirement": "ERR-001",
        "content": {
          "application/json": {
            "example": {
              "code": "sender_not_verified",
              "message": "The domain of from is not verified.",
              "fix": "Verify the domain first."
            },
            "schema": {
              "$ref": "#/components/schemas/Error"
            }
          }
        }
      },
      "RefusedBatch": {
        "description": "An error. `invalid_batch`: one or more items are invalid; `errors` has one entry per bad item. `sender_not_verified` (403) as for a single email. Source: #errors.",
        "x-requirement": "ERR-001",
        "content": {
          "application/json": {
            "example": {
              "code": "invalid_batch",
              "message": "1 of 2 emails is invalid.",
              "fix": "Correct the items that errors names.",
              "errors": [
                {
                  "index": 1
                }
              ]
            },
            "schema": {
              "$ref": "#/components/schemas/Error"
            }
          }
        }
      },
      "RefusedUrl": {
        "description": "An error; code and status for a `url` that is refused are not shown. Source: #errors.",
        "x-requirement": "ERR-001",
        "content": {
          "application/json": {
            "example": {
              "code": "url_refused",
              "message": "The url leads to a private address.",
              "fix": "Register a public https:// URL."
            },
            "schema": {
              "$ref": "#/components/schemas/Error"
            }
          }
        }
      },
      "RateLimited": {
        "description": "Rate limits are not shown. `Retry-After`, if present, is the time to wait; the client reports it as `retryAfter`. Source: #errors.",
        "headers": {
          "Retry-After": {
            "description": "Seconds to wait, or an HTTP date.",
            "schema": {
              "type": "string"
            }
          }
        },
        "content": {
          "application/json": {
            "schema": {}
          }
        }
      },
      "ServerFault": {
        "description": "A fault of the server, or of a gateway before it, whose body is its own. No requirement expects a 5xx; where a request must be refused, a 5xx does not count as a refusal."
      }
    },
    "schemas": {
      "Error": {
        "description": "`code`, `message` and `fix` (what to do about it). The wire shape is not shown: the three are at the top level or under `error`. Source: #errors.",
        "x-open-point": "error-shape",
        "x-requirement": "ERR-001",
        "type": "object",
        "anyOf": [
          {
            "$ref": "#/components/schemas/ErrorFields"
          },
          {
            "type": "object",
            "required": [
              "error"
            ],
            "properties": {
              "error": {
                "$ref": "#/components/schemas/ErrorFields"
              }
            }
          }
        ]
      },
      "ErrorFields": {
        "x-requirement": "ERR-001",
        "type": "object",
        "required": [
          "code",
          "message",
          "fix"
        ],
        "properties": {
          "code": {
            "type": "string",
            "minLength": 1,
            "x-open-point": "error-codes"
          },
          "message": {
            "type": "string"
          },
          "fix": {
            "type": "string"
          },
          "errors": {
            "description": "With code `invalid_batch`: one entry per bad item. The shape of an entry is not shown."
          }
        }
      },
      "WebhookRequest": {
        "description": "Source: #create-a-webhook.",
        "type": "object",
        "required": [
          "url"
        ],
        "properties": {
          "url": {
            "type": "string",
            "description": "Public `https://` URL."
          },
          "event_types": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "Empty, missing or `[\"*\"]` means every event."
          },
          "inbox_id": {
            "type": [
              "string",
              "null"
            ],
            "description": "Null or missing means every inbox in the org."
          }
        }
      },
      "Webhook": {
        "description": "A webhook as a list shows it. The list's shape is not shown, so nothing is required but what identifies it. Source: #webhook.",
        "type": "object",
        "required": [
          "id"
        ],
        "properties": {
          "id": {
            "type": "string",
            "pattern": "^whk_",
            "x-requirement": "WHK-003"
          },
          "url": {
            "type": "string"
          },
          "event_types": {
            "description": "Every event may be shown as an empty list, `[\"*\"]`, null or not at all.",
            "type": [
              "array",
              "null"
            ],
            "items": {
              "type": "string"
            }
          },
          "inbox_id": {
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      "CreatedWebhook": {
        "description": "The only answer that carries the secret. Source: #create-a-webhook, #webhook.",
        "x-requirement": "WHK-002",
        "type": "object",
        "required": [
          "id",
          "url",
          "event_types",
          "inbox_id",
          "secret"
        ],
        "properties": {
          "id": {
            "type": "string",
            "pattern": "^whk_",
            "x-requirement": "WHK-003"
          },
          "url": {
            "type": "string",
            "x-requirement": "WHK-002"
          },
          "event_types": {
            "x-requirement": "WHK-002",
            "type": "array",
            "items": {
              "type": "string",
              "x-requirement": "WHK-002"
            }
          },
          "inbox_id": {
            "description": "Null means every inbox in the org. No pattern; what happens to an unknown inbox is not shown.",
            "x-open-point": "unknown-inbox",
            "x-requirement": "WHK-002",
            "type": [
              "string",
              "null"
            ]
          },
          "secret": {
            "description": "`whsec_` followed by base64 (RFC 4648 section 4; padding may be left out).",
            "x-requirement": "WHK-004",
            "type": "string",
            "pattern": "^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$"
          }
        }
      },
      "Delivery": {
        "description": "One item of the deliveries list. Fields that have no value yet, or no more, are null or absent; `response_code` may be 0 and the snippet empty. Source: #webhook-delivery, #list-deliveries-of-a-webhook.",
        "x-open-point": "empty-fields",
        "type": "object",
        "required": [
          "id",
          "status",
          "attempt"
        ],
        "properties": {
          "id": {
            "type": "string",
            "minLength": 1,
            "x-requirement": "DLV-021"
          },
          "status": {
            "enum": [
              "pending",
              "succeeded",
              "failed"
            ],
            "type": "string",
            "x-requirement": "DLV-016"
          },
          "attempt": {
            "description": "Attempt number; 0 while the first attempt has not been made.",
            "x-requirement": "DLV-017",
            "type": "integer",
            "minimum": 0
          },
          "response_code": {
            "type": [
              "integer",
              "null"
            ],
            "x-requirement": "DLV-018"
          },
          "response_body_snippet": {
            "description": "First 500 characters of the consumer's response body. `maxLength` counts code points, the widest reading of \"character\".",
            "x-open-point": "snippet-characters",
            "x-requirement": "DLV-019",
            "type": [
              "string",
              "null"
            ],
            "maxLength": 500
          },
          "next_attempt_at": {
            "description": "\"timestamp\" with no stated format: a string, or a number of seconds or milliseconds.",
            "x-requirement": "DLV-020",
            "type": [
              "string",
              "number",
              "null"
            ]
          },
          "replay_of": {
            "description": "Id of the original delivery, on a delivery created by replay.",
            "x-requirement": "RPL-004",
            "type": [
              "string",
              "null"
            ]
          }
        }
      },
      "WebhookList": {
        "description": "A bare array, an object with the array as `data`, or another envelope: the shape is not shown. Source: #list-webhooks.",
        "x-open-point": "webhook-list-envelope",
        "anyOf": [
          {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/Webhook"
            }
          },
          {
            "type": "object",
            "required": [
              "data"
            ],
            "properties": {
              "data": {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/Webhook"
                }
              }
            }
          },
          {
            "type": "object",
            "additionalProperties": {}
          }
        ]
      },
      "DeliveryList": {
        "description": "A bare array, an object with the array as `data`, or another envelope: the shape is not shown. Source: #list-deliveries-of-a-webhook.",
        "x-open-point": "delivery-list-envelope",
        "anyOf": [
          {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/Delivery"
            }
          },
          {
            "type": "object",
            "required": [
              "data"
            ],
            "properties": {
              "data": {
                "type": "array",
                "items": {
                  "$ref": "#/components/schemas/Delivery"
                }
              }
            }
          },
          {
            "type": "object",
            "additionalProperties": {}
          }
        ]
      },
      "Event": {
        "description": "An event as a webhook body or a stream frame. `type` decides the shape of `data`; a type that is not listed (such as `message.scheduled`) is an `OtherEvent` with any `data`. Source: #event, #events.",
        "oneOf": [
          {
            "$ref": "#/components/schemas/MessageReceivedEvent"
          },
          {
            "$ref": "#/components/schemas/MessageQueuedEvent"
          },
          {
            "$ref": "#/components/schemas/MessageDeliveredEvent"
          },
          {
            "$ref": "#/components/schemas/MessageDeferredEvent"
          },
          {
            "$ref": "#/components/schemas/MessageBouncedEvent"
          },
          {
            "$ref": "#/components/schemas/MessageComplainedEvent"
          },
          {
            "$ref": "#/components/schemas/MessageFailedEvent"
          },
          {
            "$ref": "#/components/schemas/SendingPausedEvent"
          },
          {
            "$ref": "#/components/schemas/SendingResumedEvent"
          },
          {
            "$ref": "#/components/schemas/OtherEvent"
          }
        ],
        "discriminator": {
          "propertyName": "type",
          "mapping": {
            "message.received": "#/components/schemas/MessageReceivedEvent",
            "message.queued": "#/components/schemas/MessageQueuedEvent",
            "message.delivered": "#/components/schemas/MessageDeliveredEvent",
            "message.deferred": "#/components/schemas/MessageDeferredEvent",
            "message.bounced": "#/components/schemas/MessageBouncedEvent",
            "message.complained": "#/components/schemas/MessageComplainedEvent",
            "message.failed": "#/components/schemas/MessageFailedEvent",
            "sending.paused": "#/components/schemas/SendingPausedEvent",
            "sending.resumed": "#/components/schemas/SendingResumedEvent"
          }
        }
      },
      "MessageReceivedEvent": {
        "description": "An inbox received an email. Source: #events.",
        "x-requirement": "EVT-003",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.received"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/ReceivedData"
          }
        }
      },
      "MessageQueuedEvent": {
        "description": "A message sent by the customer was stored and handed to the mail server. Source: #events.",
        "x-requirement": "EVT-004",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.queued"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/QueuedData"
          }
        }
      },
      "MessageDeliveredEvent": {
        "description": "A recipient's server accepted the message. Source: #events.",
        "x-requirement": "EVT-005",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.delivered"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "MessageDeferredEvent": {
        "description": "Temporary failure; delivery is retried. Source: #events.",
        "x-requirement": "EVT-006",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.deferred"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "MessageBouncedEvent": {
        "description": "A recipient's server refused the message; `permanent` is true for a hard bounce. Source: #events.",
        "x-requirement": "EVT-007",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.bounced"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/BounceData"
          }
        }
      },
      "MessageComplainedEvent": {
        "description": "A recipient reported the message as spam. Source: #events.",
        "x-requirement": "EVT-008",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.complained"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "MessageFailedEvent": {
        "description": "The mail server gave up retrying, or did not accept the message. Source: #events.",
        "x-requirement": "EVT-009",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.failed"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/FailedData"
          }
        }
      },
      "SendingPausedEvent": {
        "description": "Sending was paused for the workspace. Source: #events.",
        "x-requirement": "EVT-010",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "sending.paused"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/PausedData"
          }
        }
      },
      "SendingResumedEvent": {
        "description": "Sending was resumed for the workspace. Source: #events.",
        "x-requirement": "EVT-011",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "sending.resumed"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/ResumedData"
          }
        }
      },
      "OtherEvent": {
        "description": "An event of a type that is not listed. Source: #data-kinds.",
        "x-open-point": "unknown-event-type",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "$ref": "#/components/schemas/OtherEventType"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "type": "object",
            "additionalProperties": true
          }
        }
      },
      "EventPage": {
        "description": "`next_after` continues the list. On an empty page it may be null or absent, which keeps the old cursor. Source: #poll-events.",
        "x-open-point": "next-after-empty",
        "x-requirement": "POL-007",
        "type": "object",
        "required": [
          "data"
        ],
        "properties": {
          "data": {
            "x-requirement": "POL-007",
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/PolledEvent"
            }
          },
          "next_after": {
            "type": [
              "string",
              "null"
            ],
            "x-requirement": "POL-007"
          }
        },
        "if": {
          "properties": {
            "data": {
              "type": "array",
              "minItems": 1,
              "items": {}
            }
          }
        },
        "then": {
          "x-requirement": "POL-007",
          "required": [
            "next_after"
          ],
          "properties": {
            "next_after": {
              "type": "string",
              "x-requirement": "POL-007"
            }
          }
        }
      },
      "PolledEvent": {
        "description": "An event as `GET /v1/events` lists it: `org_id` and `created_at` instead of `timestamp`. The format of `created_at` is not stated. `type` decides the shape of `data` as in `Event`. Source: #event, #poll-events.",
        "x-requirement": "POL-009",
        "type": "object",
        "required": [
          "id",
          "type",
          "org_id",
          "created_at",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "type": "string"
          },
          "org_id": {
            "type": "string",
            "x-requirement": "POL-009"
          },
          "created_at": {
            "type": "string",
            "x-requirement": "POL-009"
          },
          "timestamp": {
            "description": "Not here: `created_at` replaces it.",
            "not": {},
            "x-requirement": "POL-009"
          },
          "data": {
            "type": "object",
            "additionalProperties": true
          }
        },
        "oneOf": [
          {
            "$ref": "#/components/schemas/PolledMessageReceivedEvent"
          },
          {
            "$ref": "#/components/schemas/PolledMessageQueuedEvent"
          },
          {
            "$ref": "#/components/schemas/PolledMessageDeliveredEvent"
          },
          {
            "$ref": "#/components/schemas/PolledMessageDeferredEvent"
          },
          {
            "$ref": "#/components/schemas/PolledMessageBouncedEvent"
          },
          {
            "$ref": "#/components/schemas/PolledMessageComplainedEvent"
          },
          {
            "$ref": "#/components/schemas/PolledMessageFailedEvent"
          },
          {
            "$ref": "#/components/schemas/PolledSendingPausedEvent"
          },
          {
            "$ref": "#/components/schemas/PolledSendingResumedEvent"
          },
          {
            "$ref": "#/components/schemas/PolledOtherEvent"
          }
        ],
        "discriminator": {
          "propertyName": "type",
          "mapping": {
            "message.received": "#/components/schemas/PolledMessageReceivedEvent",
            "message.queued": "#/components/schemas/PolledMessageQueuedEvent",
            "message.delivered": "#/components/schemas/PolledMessageDeliveredEvent",
            "message.deferred": "#/components/schemas/PolledMessageDeferredEvent",
            "message.bounced": "#/components/schemas/PolledMessageBouncedEvent",
            "message.complained": "#/components/schemas/PolledMessageComplainedEvent",
            "message.failed": "#/components/schemas/PolledMessageFailedEvent",
            "sending.paused": "#/components/schemas/PolledSendingPausedEvent",
            "sending.resumed": "#/components/schemas/PolledSendingResumedEvent"
          }
        }
      },
      "PolledMessageReceivedEvent": {
        "description": "What `message.received` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-003",
        "type": "object",
        "properties": {
          "type": {
            "const": "message.received"
          },
          "data": {
            "$ref": "#/components/schemas/ReceivedData"
          }
        }
      },
      "PolledMessageQueuedEvent": {
        "description": "What `message.queued` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-004",
        "type": "object",
        "properties": {
          "type": {
            "const": "message.queued"
          },
          "data": {
            "$ref": "#/components/schemas/QueuedData"
          }
        }
      },
      "PolledMessageDeliveredEvent": {
        "description": "What `message.delivered` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-005",
        "type": "object",
        "properties": {
          "type": {
            "const": "message.delivered"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "PolledMessageDeferredEvent": {
        "description": "What `message.deferred` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-006",
        "type": "object",
        "properties": {
          "type": {
            "const": "message.deferred"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "PolledMessageBouncedEvent": {
        "description": "What `message.bounced` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-007",
        "type": "object",
        "properties": {
          "type": {
            "const": "message.bounced"
          },
          "data": {
            "$ref": "#/components/schemas/BounceData"
          }
        }
      },
      "PolledMessageComplainedEvent": {
        "description": "What `message.complained` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-008",
        "type": "object",
        "properties": {
          "type": {
            "const": "message.complained"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "PolledMessageFailedEvent": {
        "description": "What `message.failed` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-009",
        "type": "object",
        "properties": {
          "type": {
            "const": "message.failed"
          },
          "data": {
            "$ref": "#/components/schemas/FailedData"
          }
        }
      },
      "PolledSendingPausedEvent": {
        "description": "What `sending.paused` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-010",
        "type": "object",
        "properties": {
          "type": {
            "const": "sending.paused"
          },
          "data": {
            "$ref": "#/components/schemas/PausedData"
          }
        }
      },
      "PolledSendingResumedEvent": {
        "description": "What `sending.resumed` decides of a `PolledEvent`. Source: #events.",
        "x-requirement": "EVT-011",
        "type": "object",
        "properties": {
          "type": {
            "const": "sending.resumed"
          },
          "data": {
            "$ref": "#/components/schemas/ResumedData"
          }
        }
      },
      "PolledOtherEvent": {
        "description": "A `PolledEvent` of a type that is not listed. Source: #data-kinds.",
        "type": "object",
        "properties": {
          "type": {
            "$ref": "#/components/schemas/OtherEventType"
          }
        }
      },
      "EventId": {
        "description": "Ids are ordered; what follows the prefix is not shown. Source: #event.",
        "x-open-point": "id-scheme",
        "x-requirement": "EVT-001",
        "type": "string",
        "pattern": "^evt_"
      },
      "EventTimestamp": {
        "description": "ISO 8601 UTC with milliseconds; UTC is written `Z` or `+00:00`. Source: #event.",
        "x-requirement": "EVT-002",
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}(Z|\\+00:00)$"
      },
      "OtherEventType": {
        "type": "string",
        "not": {
          "enum": [
            "message.received",
            "message.queued",
            "message.delivered",
            "message.deferred",
            "message.bounced",
            "message.complained",
            "message.failed",
            "sending.paused",
            "sending.resumed"
          ]
        }
      },
      "MessageId": {
        "type": "string",
        "pattern": "^msg_",
        "x-requirement": "EVT-015"
      },
      "InboxId": {
        "type": "string",
        "pattern": "^ibx_",
        "x-requirement": "EVT-015"
      },
      "ThreadId": {
        "type": "string",
        "pattern": "^thr_",
        "x-requirement": "EVT-015"
      },
      "OptionalInboxId": {
        "description": "Null or absent for a message that belongs to no inbox, which the page does not exclude for one sent through `POST /v1/emails`.",
        "x-open-point": "absent-inbox-and-thread",
        "type": [
          "string",
          "null"
        ],
        "pattern": "^ibx_",
        "x-requirement": "EVT-015"
      },
      "OptionalThreadId": {
        "description": "Null or absent for a message that belongs to no thread.",
        "x-open-point": "absent-inbox-and-thread",
        "type": [
          "string",
          "null"
        ],
        "pattern": "^thr_",
        "x-requirement": "EVT-015"
      },
      "ReceivedData": {
        "description": "Data kind received. Types of `from` and `subject` are not stated. Source: #data-kinds.",
        "type": "object",
        "required": [
          "message_id",
          "inbox_id",
          "thread_id",
          "from",
          "subject"
        ],
        "properties": {
          "message_id": {
            "$ref": "#/components/schemas/MessageId"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/InboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/ThreadId"
          },
          "from": {
            "description": "The sender."
          },
          "subject": {
            "description": "The subject."
          }
        }
      },
      "QueuedData": {
        "description": "Data kind queued. `to` and `cc` may be a string or an array; `cc` may be absent where the message has none. Source: #data-kinds.",
        "x-open-point": "absent-cc",
        "type": "object",
        "required": [
          "message_id",
          "to",
          "subject"
        ],
        "properties": {
          "message_id": {
            "$ref": "#/components/schemas/MessageId"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/OptionalInboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/OptionalThreadId"
          },
          "to": {
            "description": "The recipients."
          },
          "cc": {
            "description": "The recipients of a copy."
          },
          "subject": {
            "description": "The subject."
          }
        }
      },
      "DeliveryData": {
        "description": "Data kind delivery: one recipient of one message. Source: #data-kinds.",
        "type": "object",
        "x-open-point": "absent-bounce-classification",
        "required": [
          "message_id",
          "recipient",
          "response",
          "permanent",
          "status"
        ],
        "properties": {
          "message_id": {
            "$ref": "#/components/schemas/MessageId"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/OptionalInboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/OptionalThreadId"
          },
          "recipient": {
            "description": "The recipient this is about."
          },
          "response": {
            "description": "The remote server's reply text; null when there was none.",
            "type": [
              "string",
              "null"
            ]
          },
          "bounce_classification": {
            "description": "Null unless the event is a bounce. Values are not shown."
          },
          "permanent": {
            "description": "True for a hard bounce.",
            "type": "boolean"
          },
          "status": {
            "description": "The message's new status. Values are not shown.",
            "type": "string",
            "x-requirement": "EVT-018"
          }
        }
      },
      "BounceData": {
        "description": "Data kind delivery of a recipient whose server refused the message. Source: #data-kinds.",
        "allOf": [
          {
            "$ref": "#/components/schemas/DeliveryData"
          },
          {
            "type": "object",
            "required": [
              "bounce_classification"
            ],
            "properties": {
              "bounce_classification": {}
            }
          }
        ]
      },
      "FailedData": {
        "description": "The delivery fields when the mail server gave up retrying; `reason` instead of them when it did not accept the message. Source: #events.",
        "type": "object",
        "anyOf": [
          {
            "$ref": "#/components/schemas/DeliveryData"
          },
          {
            "$ref": "#/components/schemas/NotAcceptedData"
          }
        ]
      },
      "NotAcceptedData": {
        "description": "`reason` instead of the delivery fields, which may still be there without a value. Source: #events.",
        "x-open-point": "failed-reason",
        "type": "object",
        "required": [
          "reason"
        ],
        "properties": {
          "message_id": {
            "type": [
              "string",
              "null"
            ],
            "pattern": "^msg_",
            "x-requirement": "EVT-015"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/OptionalInboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/OptionalThreadId"
          },
          "reason": {
            "description": "Why the message was not accepted."
          }
        }
      },
      "PausedData": {
        "description": "Data kind workspace with what `sending.paused` adds; types of the three are not stated. Source: #data-kinds.",
        "type": "object",
        "required": [
          "workspace_id",
          "status",
          "reason",
          "paused_at",
          "stats"
        ],
        "properties": {
          "workspace_id": {
            "type": "string"
          },
          "status": {
            "const": "paused"
          },
          "reason": {
            "description": "Why sending was paused."
          },
          "paused_at": {
            "description": "When sending was paused."
          },
          "stats": {
            "description": "The numbers that led to it."
          }
        }
      },
      "ResumedData": {
        "description": "Data kind workspace. Source: #data-kinds.",
        "type": "object",
        "required": [
          "workspace_id",
          "status"
        ],
        "properties": {
          "workspace_id": {
            "type": "string"
          },
          "status": {
            "const": "active"
          }
        }
      },
      "EmailRequest": {
        "description": "An email with an HTML body, a text body, or both. Source: #sending-endpoints-revealed-by-the-client-library.",
        "anyOf": [
          {
            "$ref": "#/components/schemas/HtmlEmailRequest"
          },
          {
            "$ref": "#/components/schemas/TextEmailRequest"
          }
        ]
      },
      "HtmlEmailRequest": {
        "description": "An email with an HTML body.",
        "type": "object",
        "required": [
          "from",
          "to",
          "subject",
          "html"
        ],
        "properties": {
          "from": {
            "type": "string",
            "description": "An address, or a display name followed by an address in angle brackets."
          },
          "to": {
            "description": "A single address as a text; other forms, such as a list, are not shown.",
            "x-open-point": "several-recipients",
            "type": [
              "string",
              "array"
            ],
            "items": {
              "type": "string"
            }
          },
          "subject": {
            "type": "string",
            "description": "The subject line."
          },
          "html": {
            "type": "string",
            "description": "The body as HTML."
          },
          "text": {
            "type": "string",
            "description": "The body as plain text."
          },
          "scheduled_at": {
            "type": "string",
            "description": "When it is sent, ISO 8601; at once where absent."
          }
        }
      },
      "TextEmailRequest": {
        "description": "An email with a plain text body alone.",
        "type": "object",
        "required": [
          "from",
          "to",
          "subject",
          "text"
        ],
        "properties": {
          "from": {
            "type": "string",
            "description": "An address, or a display name followed by an address in angle brackets."
          },
          "to": {
            "description": "A single address as a text; other forms, such as a list, are not shown.",
            "x-open-point": "several-recipients",
            "type": [
              "string",
              "array"
            ],
            "items": {
              "type": "string"
            }
          },
          "subject": {
            "type": "string",
            "description": "The subject line."
          },
          "text": {
            "type": "string",
            "description": "The body as plain text."
          },
          "scheduled_at": {
            "type": "string",
            "description": "When it is sent, ISO 8601; at once where absent."
          }
        }
      },
      "EmailUpdate": {
        "type": "object",
        "required": [
          "scheduled_at"
        ],
        "properties": {
          "scheduled_at": {
            "type": "string",
            "description": "ISO 8601."
          }
        }
      },
      "SentEmail": {
        "x-requirement": "SND-001",
        "type": "object",
        "required": [
          "id"
        ],
        "properties": {
          "id": {
            "type": [
              "string",
              "integer"
            ],
            "minLength": 1,
            "x-requirement": "SND-001"
          }
        }
      },
      "SentBatch": {
        "description": "The items of `data` and `errors` are not shown.",
        "x-requirement": "SND-004",
        "type": "object",
        "required": [
          "data"
        ],
        "properties": {
          "data": {
            "type": "array",
            "x-requirement": "SND-004",
            "items": {}
          },
          "errors": {
            "type": [
              "array",
              "null"
            ],
            "x-requirement": "SND-004",
            "items": {}
          }
        }
      },
      "Email": {
        "description": "Other fields are not shown. Source: #other-resources.",
        "x-requirement": "SND-007",
        "type": "object",
        "required": [
          "recipients",
          "status"
        ],
        "properties": {
          "id": {
            "type": [
              "string",
              "integer"
            ],
            "x-requirement": "SND-007"
          },
          "status": {
            "type": "string",
            "x-requirement": "SND-007",
            "description": "Values are not shown."
          },
          "recipients": {
            "description": "Form not shown."
          },
          "scheduled_at": {
            "type": [
              "string",
              "null"
            ],
            "x-requirement": "SND-007"
          }
        }
      },
      "EmailPage": {
        "description": "`next_cursor` may be null or absent on the last page; its type is not stated.",
        "x-requirement": "SND-008",
        "type": "object",
        "required": [
          "data"
        ],
        "properties": {
          "data": {
            "x-requirement": "SND-008",
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/ListedEmail"
            }
          },
          "next_cursor": {
            "description": "The `cursor` of the next page."
          }
        }
      },
      "ListedEmail": {
        "description": "An email as the list shows it; its fields are not stated.",
        "type": "object",
        "x-requirement": "SND-008",
        "properties": {
          "id": {
            "type": [
              "string",
              "integer"
            ]
          },
          "status": {
            "type": "string"
          },
          "recipients": {
            "description": "Form not shown."
          }
        }
      },
      "EmailReference": {
        "type": "object",
        "required": [
          "object",
          "id"
        ],
        "properties": {
          "object": {
            "description": "Values are not shown."
          },
          "id": {
            "type": [
              "string",
              "integer"
            ],
            "minLength": 1
          }
        }
      }
    }
  }
}

/** spec/control.yaml, parsed. */
export const controlDocument: JsonObject = {
  "openapi": "3.1.0",
  "info": {
    "title": "Control interface",
    "version": "1",
    "summary": "What a test deployment may offer so that everything, 18 hours of retries included, is tested in seconds.",
    "license": {
      "name": "MIT",
      "identifier": "MIT"
    },
    "description": "Optional. A service offers it in a test deployment only, below a control URL of its own. Unknown fields in answers are legal.\nA capability that is absent from `GET /` is worked around, or the cases that need it are skipped.\n\nOnly loopback is ever connected to: a case on name resolution sets the answers anew for each phase, a public one only while a\nwebhook is created.\n"
  },
  "servers": [
    {
      "url": "{control_url}",
      "variables": {
        "control_url": {
          "default": "https://api.example.com/_control"
        }
      }
    }
  ],
  "security": [
    {
      "control": []
    }
  ],
  "paths": {
    "/": {
      "get": {
        "operationId": "describeControl",
        "summary": "Version and capabilities",
        "responses": {
          "200": {
            "description": "What this deployment offers.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/ControlDescription"
                }
              }
            }
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          }
        }
      }
    },
    "/workspaces": {
      "post": {
        "operationId": "createWorkspace",
        "summary": "A fresh, isolated workspace",
        "description": "Capability `workspaces`.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [
                  "projects",
                  "inboxes"
                ],
                "properties": {
                  "projects": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Number of projects."
                  },
                  "inboxes": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Number of inboxes in each project."
                  }
                }
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The workspace with its keys.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Workspace"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/WrongField"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          }
        }
      }
    },
    "/workspaces/{workspace_id}": {
      "delete": {
        "operationId": "deleteWorkspace",
        "summary": "Drops a workspace and all that belongs to it",
        "description": "Capability `workspaces`.",
        "parameters": [
          {
            "$ref": "#/components/parameters/WorkspaceId"
          }
        ],
        "responses": {
          "204": {
            "description": "Dropped."
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "404": {
            "$ref": "#/components/responses/Unknown"
          }
        }
      }
    },
    "/events": {
      "post": {
        "operationId": "raiseEvent",
        "summary": "Raises an event as if the service had",
        "description": "Capability `events`. The event is stored, streamed and delivered; its inbox is `data.inbox_id`.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [
                  "org_id",
                  "type",
                  "data"
                ],
                "properties": {
                  "org_id": {
                    "type": "string"
                  },
                  "type": {
                    "type": "string",
                    "description": "An event type of the interface."
                  },
                  "data": {
                    "type": "object",
                    "description": "Passed on as it is."
                  }
                }
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "The id of the event.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/RaisedEvent"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/WrongField"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "404": {
            "$ref": "#/components/responses/Unknown"
          }
        }
      }
    },
    "/workspaces/{workspace_id}/sending": {
      "post": {
        "operationId": "setSendingStatus",
        "summary": "Pauses or resumes sending",
        "description": "Capability `sending`. Raises `sending.paused` or `sending.resumed`.",
        "parameters": [
          {
            "$ref": "#/components/parameters/WorkspaceId"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [
                  "status"
                ],
                "properties": {
                  "status": {
                    "$ref": "#/components/schemas/SendingStatus"
                  },
                  "reason": {
                    "type": "string",
                    "description": "The `reason` of `sending.paused`."
                  }
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The new status.",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "required": [
                    "status"
                  ],
                  "properties": {
                    "status": {
                      "$ref": "#/components/schemas/SendingStatus"
                    }
                  }
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/WrongField"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "404": {
            "$ref": "#/components/responses/Unknown"
          }
        }
      }
    },
    "/workspaces/{workspace_id}/clock": {
      "post": {
        "operationId": "advanceClock",
        "summary": "Moves the clock of a workspace forward",
        "description": "Capability `clock`. The clock is real time plus an offset. An advance makes every attempt that falls due on the way, in order, each at its due time (which is what `webhook-timestamp` shows), and answers once every attempt due by then has ended. An attempt in flight times out when the clock passes its start by 10 s; while advancing it is first given up to 500 ms of real time to be answered. 0 waits until nothing is due or in flight.",
        "parameters": [
          {
            "$ref": "#/components/parameters/WorkspaceId"
          }
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [
                  "advance_ms"
                ],
                "properties": {
                  "advance_ms": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Milliseconds."
                  }
                }
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "The clock after the advance.",
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/ClockReading"
                }
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/WrongField"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "404": {
            "$ref": "#/components/responses/Unknown"
          }
        }
      }
    },
    "/dns": {
      "post": {
        "operationId": "setDnsAnswers",
        "summary": "What the service's resolver answers",
        "description": "Capability `dns`. Lookups of `host` are answered with the first list, then the second, and so on; the last one stays. A new call replaces the list.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [
                  "host",
                  "answers"
                ],
                "properties": {
                  "host": {
                    "type": "string",
                    "minLength": 1
                  },
                  "answers": {
                    "type": "array",
                    "minItems": 1,
                    "description": "One list of IPv4 and IPv6 addresses for each lookup.",
                    "items": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      }
                    }
                  }
                }
              }
            }
          }
        },
        "responses": {
          "204": {
            "description": "Set."
          },
          "400": {
            "$ref": "#/components/responses/WrongField"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          }
        }
      }
    },
    "/egress": {
      "post": {
        "operationId": "allowEgress",
        "summary": "Exempts addresses from the refusal of private ones",
        "description": "Capability `egress`. Exempts exactly these address:port pairs, at creation and at delivery, and trusts the CA for deliveries; calls add up.",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "required": [
                  "allow"
                ],
                "properties": {
                  "allow": {
                    "type": "array",
                    "description": "Pairs `address:port`; an IPv6 address is in brackets.",
                    "items": {
                      "type": "string",
                      "pattern": ":[0-9]+$"
                    }
                  },
                  "ca": {
                    "type": "string",
                    "description": "A certificate in PEM."
                  }
                }
              }
            }
          }
        },
        "responses": {
          "204": {
            "description": "Exempted."
          },
          "400": {
            "$ref": "#/components/responses/WrongField"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          }
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "control": {
        "type": "http",
        "scheme": "bearer",
        "description": "Authorization: Bearer <control key>."
      }
    },
    "parameters": {
      "WorkspaceId": {
        "name": "workspace_id",
        "in": "path",
        "required": true,
        "schema": {
          "type": "string"
        }
      }
    },
    "responses": {
      "Unauthorized": {
        "description": "No control key or a wrong one. A body is optional."
      },
      "WrongField": {
        "description": "A field is missing or of the wrong type.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            }
          }
        }
      },
      "Unknown": {
        "description": "Unknown workspace or org.",
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            }
          }
        }
      }
    },
    "schemas": {
      "ControlDescription": {
        "type": "object",
        "required": [
          "control",
          "name",
          "version",
          "capabilities"
        ],
        "properties": {
          "control": {
            "const": 1,
            "description": "Version of this interface."
          },
          "name": {
            "type": "string",
            "description": "Name of the service."
          },
          "version": {
            "type": "string",
            "description": "Version of the service."
          },
          "capabilities": {
            "type": "array",
            "description": "Any of `workspaces`, `events`, `sending`, `clock`, `dns`, `egress`; others are ignored.",
            "items": {
              "type": "string"
            }
          }
        }
      },
      "Workspace": {
        "type": "object",
        "required": [
          "workspace_id",
          "projects"
        ],
        "properties": {
          "workspace_id": {
            "type": "string",
            "minLength": 1
          },
          "projects": {
            "type": "array",
            "minItems": 1,
            "items": {
              "$ref": "#/components/schemas/Project"
            }
          }
        }
      },
      "Project": {
        "type": "object",
        "required": [
          "org_id",
          "api_key",
          "domain",
          "inboxes"
        ],
        "properties": {
          "org_id": {
            "type": "string",
            "minLength": 1
          },
          "api_key": {
            "type": "string",
            "minLength": 1,
            "description": "Sees the whole org."
          },
          "domain": {
            "type": "string",
            "minLength": 1,
            "description": "Verified for sending."
          },
          "inboxes": {
            "type": "array",
            "items": {
              "$ref": "#/components/schemas/Inbox"
            }
          }
        }
      },
      "Inbox": {
        "type": "object",
        "required": [
          "id",
          "address",
          "api_key"
        ],
        "properties": {
          "id": {
            "type": "string",
            "pattern": "^ibx_"
          },
          "address": {
            "type": "string",
            "minLength": 1
          },
          "api_key": {
            "type": "string",
            "minLength": 1,
            "description": "Scoped to this inbox."
          }
        }
      },
      "RaisedEvent": {
        "type": "object",
        "required": [
          "id"
        ],
        "properties": {
          "id": {
            "type": "string",
            "pattern": "^evt_"
          }
        }
      },
      "SendingStatus": {
        "type": "string",
        "enum": [
          "paused",
          "active"
        ]
      },
      "ClockReading": {
        "type": "object",
        "required": [
          "now"
        ],
        "properties": {
          "now": {
            "type": "string",
            "description": "The time of the workspace in ISO 8601."
          }
        }
      },
      "Error": {
        "description": "The error fields of the interface, at the top level or under `error`.",
        "type": "object",
        "anyOf": [
          {
            "$ref": "#/components/schemas/ErrorFields"
          },
          {
            "type": "object",
            "required": [
              "error"
            ],
            "properties": {
              "error": {
                "$ref": "#/components/schemas/ErrorFields"
              }
            }
          }
        ]
      },
      "ErrorFields": {
        "type": "object",
        "required": [
          "code",
          "message",
          "fix"
        ],
        "properties": {
          "code": {
            "type": "string",
            "minLength": 1
          },
          "message": {
            "type": "string"
          },
          "fix": {
            "type": "string"
          }
        }
      }
    }
  }
}

/** spec/asyncapi.yaml with the schemas it takes of spec/openapi.yaml, parsed. */
export const asyncapiDocument: JsonObject = {
  "asyncapi": "3.0.0",
  "info": {
    "title": "Email Event and Webhook Interface, what the service sends",
    "version": "1",
    "license": {
      "name": "MIT"
    },
    "description": "The stream of events and the deliveries to webhooks, from the side of the service. `Source:` names the heading of\n`interface.md` a part rests on. The bodies are those of `openapi.yaml`, which has the calls of the API.\n\nA type that is not listed (such as `message.scheduled`) is an `other` with any `data`: a consumer ignores what it does not know.\n"
  },
  "defaultContentType": "application/json",
  "servers": {
    "stream": {
      "host": "api.example.com",
      "protocol": "wss",
      "description": "The host of the base address. Source: #endpoints.",
      "security": [
        {
          "$ref": "#/components/securitySchemes/bearer"
        },
        {
          "$ref": "#/components/securitySchemes/token"
        }
      ]
    },
    "consumer": {
      "host": "hooks.example.com",
      "protocol": "https",
      "description": "The host of the `url` that a webhook was created with: a public one. Source: #webhook."
    }
  },
  "channels": {
    "stream": {
      "address": "/v1/events/ws",
      "title": "Event stream",
      "description": "Each event is one text frame of JSON. Without `after` the stream starts from now; with it, it resumes after that event, without missing any. A key that is scoped to one inbox sees the events of its inbox only. Source: #event-stream-websocket.",
      "servers": [
        {
          "$ref": "#/servers/stream"
        }
      ],
      "bindings": {
        "ws": {
          "method": "GET",
          "query": {
            "type": "object",
            "properties": {
              "token": {
                "type": "string",
                "description": "API key for clients that cannot set headers."
              },
              "after": {
                "type": "string",
                "description": "Id of an event."
              }
            }
          },
          "bindingVersion": "0.1.0"
        }
      },
      "messages": {
        "messageReceived": {
          "$ref": "#/components/messages/messageReceived"
        },
        "messageQueued": {
          "$ref": "#/components/messages/messageQueued"
        },
        "messageDelivered": {
          "$ref": "#/components/messages/messageDelivered"
        },
        "messageDeferred": {
          "$ref": "#/components/messages/messageDeferred"
        },
        "messageBounced": {
          "$ref": "#/components/messages/messageBounced"
        },
        "messageComplained": {
          "$ref": "#/components/messages/messageComplained"
        },
        "messageFailed": {
          "$ref": "#/components/messages/messageFailed"
        },
        "sendingPaused": {
          "$ref": "#/components/messages/sendingPaused"
        },
        "sendingResumed": {
          "$ref": "#/components/messages/sendingResumed"
        },
        "other": {
          "$ref": "#/components/messages/other"
        }
      }
    },
    "deliveries": {
      "address": "/",
      "title": "Webhook deliveries",
      "description": "The path of the `url` that a webhook was created with. The consumer answers with any 2xx within 10 seconds; redirects are not followed and count as failures. An attempt that fails is made again 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours and 10 hours later, seven attempts in all. The id stays on every retry: consumers drop duplicates by it. Source: #webhook-delivery-request-made-by-the-service-to-the-consumer, #retries-of-a-delivery.",
      "servers": [
        {
          "$ref": "#/servers/consumer"
        }
      ],
      "messages": {
        "messageReceived": {
          "$ref": "#/components/messages/messageReceivedDelivery"
        },
        "messageQueued": {
          "$ref": "#/components/messages/messageQueuedDelivery"
        },
        "messageDelivered": {
          "$ref": "#/components/messages/messageDeliveredDelivery"
        },
        "messageDeferred": {
          "$ref": "#/components/messages/messageDeferredDelivery"
        },
        "messageBounced": {
          "$ref": "#/components/messages/messageBouncedDelivery"
        },
        "messageComplained": {
          "$ref": "#/components/messages/messageComplainedDelivery"
        },
        "messageFailed": {
          "$ref": "#/components/messages/messageFailedDelivery"
        },
        "sendingPaused": {
          "$ref": "#/components/messages/sendingPausedDelivery"
        },
        "sendingResumed": {
          "$ref": "#/components/messages/sendingResumedDelivery"
        },
        "other": {
          "$ref": "#/components/messages/otherDelivery"
        }
      }
    }
  },
  "operations": {
    "streamEvents": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/stream"
      },
      "summary": "Sends each event as it happens"
    },
    "deliverEvents": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/deliveries"
      },
      "summary": "Delivers each event that the webhook subscribes to, signed",
      "bindings": {
        "http": {
          "method": "POST",
          "bindingVersion": "0.3.0"
        }
      }
    }
  },
  "components": {
    "securitySchemes": {
      "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "Authorization: Bearer <API key>. Source: #authentication."
      },
      "token": {
        "type": "httpApiKey",
        "name": "token",
        "in": "query",
        "description": "The API key. Source: #authentication."
      }
    },
    "messageTraits": {
      "signed": {
        "description": "Signed over the raw bytes of the body. Source: #webhook-signature-standard-webhooks.",
        "headers": {
          "type": "object",
          "required": [
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature"
          ],
          "properties": {
            "webhook-id": {
              "type": "string",
              "pattern": "^evt_",
              "description": "The event id, identical on every retry."
            },
            "webhook-timestamp": {
              "type": "string",
              "pattern": "^[0-9]+$",
              "description": "Unix seconds at which this attempt was signed."
            },
            "webhook-signature": {
              "type": "string",
              "pattern": "(^| )v1,[A-Za-z0-9+/]+={0,2}( |$)",
              "description": "One or more entries separated by a space; at least one is `v1,<base64>`."
            }
          }
        }
      }
    },
    "messages": {
      "messageReceived": {
        "name": "message.received",
        "summary": "An inbox received an email.",
        "payload": {
          "$ref": "#/components/schemas/MessageReceivedEvent"
        }
      },
      "messageQueued": {
        "name": "message.queued",
        "summary": "A message sent by the customer was stored and handed to the mail server.",
        "payload": {
          "$ref": "#/components/schemas/MessageQueuedEvent"
        }
      },
      "messageDelivered": {
        "name": "message.delivered",
        "summary": "A recipient's server accepted the message.",
        "payload": {
          "$ref": "#/components/schemas/MessageDeliveredEvent"
        }
      },
      "messageDeferred": {
        "name": "message.deferred",
        "summary": "Temporary failure; delivery is retried.",
        "payload": {
          "$ref": "#/components/schemas/MessageDeferredEvent"
        }
      },
      "messageBounced": {
        "name": "message.bounced",
        "summary": "A recipient's server refused it.",
        "payload": {
          "$ref": "#/components/schemas/MessageBouncedEvent"
        }
      },
      "messageComplained": {
        "name": "message.complained",
        "summary": "A recipient reported it as spam.",
        "payload": {
          "$ref": "#/components/schemas/MessageComplainedEvent"
        }
      },
      "messageFailed": {
        "name": "message.failed",
        "summary": "The mail server gave up retrying, or did not accept the message.",
        "payload": {
          "$ref": "#/components/schemas/MessageFailedEvent"
        }
      },
      "sendingPaused": {
        "name": "sending.paused",
        "summary": "Sending was paused for the workspace by the service.",
        "payload": {
          "$ref": "#/components/schemas/SendingPausedEvent"
        }
      },
      "sendingResumed": {
        "name": "sending.resumed",
        "summary": "Sending was resumed for the workspace by the service's support.",
        "payload": {
          "$ref": "#/components/schemas/SendingResumedEvent"
        }
      },
      "other": {
        "name": "other",
        "summary": "An event of a type that is not listed.",
        "payload": {
          "$ref": "#/components/schemas/OtherEvent"
        }
      },
      "messageReceivedDelivery": {
        "name": "message.received",
        "summary": "An inbox received an email.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/MessageReceivedEvent"
        }
      },
      "messageQueuedDelivery": {
        "name": "message.queued",
        "summary": "A message sent by the customer was stored and handed to the mail server.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/MessageQueuedEvent"
        }
      },
      "messageDeliveredDelivery": {
        "name": "message.delivered",
        "summary": "A recipient's server accepted the message.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/MessageDeliveredEvent"
        }
      },
      "messageDeferredDelivery": {
        "name": "message.deferred",
        "summary": "Temporary failure; delivery is retried.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/MessageDeferredEvent"
        }
      },
      "messageBouncedDelivery": {
        "name": "message.bounced",
        "summary": "A recipient's server refused it.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/MessageBouncedEvent"
        }
      },
      "messageComplainedDelivery": {
        "name": "message.complained",
        "summary": "A recipient reported it as spam.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/MessageComplainedEvent"
        }
      },
      "messageFailedDelivery": {
        "name": "message.failed",
        "summary": "The mail server gave up retrying, or did not accept the message.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/MessageFailedEvent"
        }
      },
      "sendingPausedDelivery": {
        "name": "sending.paused",
        "summary": "Sending was paused for the workspace by the service.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/SendingPausedEvent"
        }
      },
      "sendingResumedDelivery": {
        "name": "sending.resumed",
        "summary": "Sending was resumed for the workspace by the service's support.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/SendingResumedEvent"
        }
      },
      "otherDelivery": {
        "name": "other",
        "summary": "An event of a type that is not listed.",
        "traits": [
          {
            "$ref": "#/components/messageTraits/signed"
          }
        ],
        "payload": {
          "$ref": "#/components/schemas/OtherEvent"
        }
      }
    },
    "schemas": {
      "MessageReceivedEvent": {
        "description": "An inbox received an email. Source: #events.",
        "x-requirement": "EVT-003",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.received"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/ReceivedData"
          }
        }
      },
      "EventId": {
        "description": "Ids are ordered; what follows the prefix is not shown. Source: #event.",
        "x-open-point": "id-scheme",
        "x-requirement": "EVT-001",
        "type": "string",
        "pattern": "^evt_"
      },
      "EventTimestamp": {
        "description": "ISO 8601 UTC with milliseconds; UTC is written `Z` or `+00:00`. Source: #event.",
        "x-requirement": "EVT-002",
        "type": "string",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}(Z|\\+00:00)$"
      },
      "ReceivedData": {
        "description": "Data kind received. Types of `from` and `subject` are not stated. Source: #data-kinds.",
        "type": "object",
        "required": [
          "message_id",
          "inbox_id",
          "thread_id",
          "from",
          "subject"
        ],
        "properties": {
          "message_id": {
            "$ref": "#/components/schemas/MessageId"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/InboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/ThreadId"
          },
          "from": {
            "description": "The sender."
          },
          "subject": {
            "description": "The subject."
          }
        }
      },
      "MessageId": {
        "type": "string",
        "pattern": "^msg_",
        "x-requirement": "EVT-015"
      },
      "InboxId": {
        "type": "string",
        "pattern": "^ibx_",
        "x-requirement": "EVT-015"
      },
      "ThreadId": {
        "type": "string",
        "pattern": "^thr_",
        "x-requirement": "EVT-015"
      },
      "MessageQueuedEvent": {
        "description": "A message sent by the customer was stored and handed to the mail server. Source: #events.",
        "x-requirement": "EVT-004",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.queued"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/QueuedData"
          }
        }
      },
      "QueuedData": {
        "description": "Data kind queued. `to` and `cc` may be a string or an array; `cc` may be absent where the message has none. Source: #data-kinds.",
        "x-open-point": "absent-cc",
        "type": "object",
        "required": [
          "message_id",
          "to",
          "subject"
        ],
        "properties": {
          "message_id": {
            "$ref": "#/components/schemas/MessageId"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/OptionalInboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/OptionalThreadId"
          },
          "to": {
            "description": "The recipients."
          },
          "cc": {
            "description": "The recipients of a copy."
          },
          "subject": {
            "description": "The subject."
          }
        }
      },
      "OptionalInboxId": {
        "description": "Null or absent for a message that belongs to no inbox, which the page does not exclude for one sent through `POST /v1/emails`.",
        "x-open-point": "absent-inbox-and-thread",
        "type": [
          "string",
          "null"
        ],
        "pattern": "^ibx_",
        "x-requirement": "EVT-015"
      },
      "OptionalThreadId": {
        "description": "Null or absent for a message that belongs to no thread.",
        "x-open-point": "absent-inbox-and-thread",
        "type": [
          "string",
          "null"
        ],
        "pattern": "^thr_",
        "x-requirement": "EVT-015"
      },
      "MessageDeliveredEvent": {
        "description": "A recipient's server accepted the message. Source: #events.",
        "x-requirement": "EVT-005",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.delivered"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "DeliveryData": {
        "description": "Data kind delivery: one recipient of one message. Source: #data-kinds.",
        "type": "object",
        "x-open-point": "absent-bounce-classification",
        "required": [
          "message_id",
          "recipient",
          "response",
          "permanent",
          "status"
        ],
        "properties": {
          "message_id": {
            "$ref": "#/components/schemas/MessageId"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/OptionalInboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/OptionalThreadId"
          },
          "recipient": {
            "description": "The recipient this is about."
          },
          "response": {
            "description": "The remote server's reply text; null when there was none.",
            "type": [
              "string",
              "null"
            ]
          },
          "bounce_classification": {
            "description": "Null unless the event is a bounce. Values are not shown."
          },
          "permanent": {
            "description": "True for a hard bounce.",
            "type": "boolean"
          },
          "status": {
            "description": "The message's new status. Values are not shown.",
            "type": "string",
            "x-requirement": "EVT-018"
          }
        }
      },
      "MessageDeferredEvent": {
        "description": "Temporary failure; delivery is retried. Source: #events.",
        "x-requirement": "EVT-006",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.deferred"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "MessageBouncedEvent": {
        "description": "A recipient's server refused the message; `permanent` is true for a hard bounce. Source: #events.",
        "x-requirement": "EVT-007",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.bounced"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/BounceData"
          }
        }
      },
      "BounceData": {
        "description": "Data kind delivery of a recipient whose server refused the message. Source: #data-kinds.",
        "allOf": [
          {
            "$ref": "#/components/schemas/DeliveryData"
          },
          {
            "type": "object",
            "required": [
              "bounce_classification"
            ],
            "properties": {
              "bounce_classification": {}
            }
          }
        ]
      },
      "MessageComplainedEvent": {
        "description": "A recipient reported the message as spam. Source: #events.",
        "x-requirement": "EVT-008",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.complained"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/DeliveryData"
          }
        }
      },
      "MessageFailedEvent": {
        "description": "The mail server gave up retrying, or did not accept the message. Source: #events.",
        "x-requirement": "EVT-009",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "message.failed"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/FailedData"
          }
        }
      },
      "FailedData": {
        "description": "The delivery fields when the mail server gave up retrying; `reason` instead of them when it did not accept the message. Source: #events.",
        "type": "object",
        "anyOf": [
          {
            "$ref": "#/components/schemas/DeliveryData"
          },
          {
            "$ref": "#/components/schemas/NotAcceptedData"
          }
        ]
      },
      "NotAcceptedData": {
        "description": "`reason` instead of the delivery fields, which may still be there without a value. Source: #events.",
        "x-open-point": "failed-reason",
        "type": "object",
        "required": [
          "reason"
        ],
        "properties": {
          "message_id": {
            "type": [
              "string",
              "null"
            ],
            "pattern": "^msg_",
            "x-requirement": "EVT-015"
          },
          "inbox_id": {
            "$ref": "#/components/schemas/OptionalInboxId"
          },
          "thread_id": {
            "$ref": "#/components/schemas/OptionalThreadId"
          },
          "reason": {
            "description": "Why the message was not accepted."
          }
        }
      },
      "SendingPausedEvent": {
        "description": "Sending was paused for the workspace. Source: #events.",
        "x-requirement": "EVT-010",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "sending.paused"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/PausedData"
          }
        }
      },
      "PausedData": {
        "description": "Data kind workspace with what `sending.paused` adds; types of the three are not stated. Source: #data-kinds.",
        "type": "object",
        "required": [
          "workspace_id",
          "status",
          "reason",
          "paused_at",
          "stats"
        ],
        "properties": {
          "workspace_id": {
            "type": "string"
          },
          "status": {
            "const": "paused"
          },
          "reason": {
            "description": "Why sending was paused."
          },
          "paused_at": {
            "description": "When sending was paused."
          },
          "stats": {
            "description": "The numbers that led to it."
          }
        }
      },
      "SendingResumedEvent": {
        "description": "Sending was resumed for the workspace. Source: #events.",
        "x-requirement": "EVT-011",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "const": "sending.resumed"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "$ref": "#/components/schemas/ResumedData"
          }
        }
      },
      "ResumedData": {
        "description": "Data kind workspace. Source: #data-kinds.",
        "type": "object",
        "required": [
          "workspace_id",
          "status"
        ],
        "properties": {
          "workspace_id": {
            "type": "string"
          },
          "status": {
            "const": "active"
          }
        }
      },
      "OtherEvent": {
        "description": "An event of a type that is not listed. Source: #data-kinds.",
        "x-open-point": "unknown-event-type",
        "type": "object",
        "required": [
          "id",
          "type",
          "timestamp",
          "data"
        ],
        "properties": {
          "id": {
            "$ref": "#/components/schemas/EventId"
          },
          "type": {
            "$ref": "#/components/schemas/OtherEventType"
          },
          "timestamp": {
            "$ref": "#/components/schemas/EventTimestamp"
          },
          "data": {
            "type": "object",
            "additionalProperties": true
          }
        }
      },
      "OtherEventType": {
        "type": "string",
        "not": {
          "enum": [
            "message.received",
            "message.queued",
            "message.delivered",
            "message.deferred",
            "message.bounced",
            "message.complained",
            "message.failed",
            "sending.paused",
            "sending.resumed"
          ]
        }
      }
    }
  }
}
