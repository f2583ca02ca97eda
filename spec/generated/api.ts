// Generated from openapi.yaml by spec/generate.js; changes here are lost.

export interface paths {
    readonly "/v1/webhooks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List webhooks
         * @description Secrets are never included. Source: #list-webhooks.
         */
        readonly get: operations["listWebhooks"];
        readonly put?: never;
        /**
         * Create a webhook
         * @description The secret is returned here and never again. Source: #create-a-webhook.
         */
        readonly post: operations["createWebhook"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Delete a webhook
         * @description Stops deliveries at once, pending retries included; delivery history is kept. Source: #delete-a-webhook.
         */
        readonly delete: operations["deleteWebhook"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{id}/deliveries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List deliveries of a webhook
         * @description Newest first. Source: #list-deliveries-of-a-webhook.
         */
        readonly get: operations["listDeliveries"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Replay a delivery
         * @description Sends the same event again now, as a new delivery with `replay_of` set to the original. Source: #replay-a-delivery.
         */
        readonly post: operations["replayDelivery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Poll events
         * @description Oldest first; events whose id is greater than `after`. A key scoped to one inbox sees only events of its inbox. Source: #poll-events.
         */
        readonly get: operations["pollEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/events/ws": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Event stream (WebSocket)
         * @description Upgraded to a WebSocket. Each event is one JSON text frame with the same body as a webhook delivery. Without `after` the stream starts from now; with it the stream resumes after that event. Source: #event-stream-websocket.
         */
        readonly get: operations["streamEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/emails": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List emails
         * @description `next_cursor` of one page is the `cursor` of the next. Default and maximum of `limit` are not stated. Source: #sending-endpoints-revealed-by-the-client-library.
         */
        readonly get: operations["listEmails"];
        readonly put?: never;
        /**
         * Send an email
         * @description Source: #sending-endpoints-revealed-by-the-client-library.
         */
        readonly post: operations["sendEmail"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/emails/batch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send up to 100 emails
         * @description The client option `batchValidation` (`permissive` is shown) travels in a way that is not shown. Source: #sending-endpoints-revealed-by-the-client-library.
         */
        readonly post: operations["sendBatch"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/emails/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Get an email
         * @description Source: #sending-endpoints-revealed-by-the-client-library.
         */
        readonly get: operations["getEmail"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Reschedule an email
         * @description Source: #sending-endpoints-revealed-by-the-client-library.
         */
        readonly patch: operations["updateEmail"];
        readonly trace?: never;
    };
    readonly "/v1/emails/{id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Cancel a scheduled email
         * @description Source: #sending-endpoints-revealed-by-the-client-library.
         */
        readonly post: operations["cancelEmail"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface webhooks {
    readonly event: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Webhook delivery request, made by the service to the consumer
         * @description Sent to the `url` of a webhook and signed over the raw bytes of its body. The consumer answers with any 2xx within 10 seconds; redirects are not followed and count as failures. An attempt that fails is made again 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours and 10 hours later, seven attempts in all; then the delivery is `failed`. A url that resolves to a private address at that time fails at once with `blocked_private_address`. Source: #webhook-delivery-request-made-by-the-service-to-the-consumer.
         */
        readonly post: operations["receiveEvent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description `code`, `message` and `fix` (what to do about it). The wire shape is not shown: the three are at the top level or under `error`. Source: #errors. */
        readonly Error: components["schemas"]["ErrorFields"] | {
            readonly error: components["schemas"]["ErrorFields"];
        };
        readonly ErrorFields: {
            readonly code: string;
            readonly message: string;
            readonly fix: string;
            /** @description With code `invalid_batch`: one entry per bad item. The shape of an entry is not shown. */
            readonly errors?: unknown;
        };
        /** @description Source: #create-a-webhook. */
        readonly WebhookRequest: {
            /** @description Public `https://` URL. */
            readonly url: string;
            /** @description Empty, missing or `["*"]` means every event. */
            readonly event_types?: readonly string[];
            /** @description Null or missing means every inbox in the org. */
            readonly inbox_id?: string | null;
        };
        /** @description A webhook as a list shows it. The list's shape is not shown, so nothing is required but what identifies it. Source: #webhook. */
        readonly Webhook: {
            readonly id: string;
            readonly url?: string;
            /** @description Every event may be shown as an empty list, `["*"]`, null or not at all. */
            readonly event_types?: readonly string[] | null;
            readonly inbox_id?: string | null;
        };
        /** @description The only answer that carries the secret. Source: #create-a-webhook, #webhook. */
        readonly CreatedWebhook: {
            readonly id: string;
            readonly url: string;
            readonly event_types: readonly string[];
            /** @description Null means every inbox in the org. No pattern; what happens to an unknown inbox is not shown. */
            readonly inbox_id: string | null;
            /** @description `whsec_` followed by base64 (RFC 4648 section 4; padding may be left out). */
            readonly secret: string;
        };
        /** @description One item of the deliveries list. Fields that have no value yet, or no more, are null or absent; `response_code` may be 0 and the snippet empty. Source: #webhook-delivery, #list-deliveries-of-a-webhook. */
        readonly Delivery: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "pending" | "succeeded" | "failed";
            /** @description Attempt number; 0 while the first attempt has not been made. */
            readonly attempt: number;
            readonly response_code?: number | null;
            /** @description First 500 characters of the consumer's response body. `maxLength` counts code points, the widest reading of "character". */
            readonly response_body_snippet?: string | null;
            /** @description "timestamp" with no stated format: a string, or a number of seconds or milliseconds. */
            readonly next_attempt_at?: string | number | null;
            /** @description Id of the original delivery, on a delivery created by replay. */
            readonly replay_of?: string | null;
        };
        /** @description A bare array, an object with the array as `data`, or another envelope: the shape is not shown. Source: #list-webhooks. */
        readonly WebhookList: readonly components["schemas"]["Webhook"][] | {
            readonly data: readonly components["schemas"]["Webhook"][];
        } | {
            readonly [key: string]: unknown;
        };
        /** @description A bare array, an object with the array as `data`, or another envelope: the shape is not shown. Source: #list-deliveries-of-a-webhook. */
        readonly DeliveryList: readonly components["schemas"]["Delivery"][] | {
            readonly data: readonly components["schemas"]["Delivery"][];
        } | {
            readonly [key: string]: unknown;
        };
        /** @description An event as a webhook body or a stream frame. `type` decides the shape of `data`; a type that is not listed (such as `message.scheduled`) is an `OtherEvent` with any `data`. Source: #event, #events. */
        readonly Event: components["schemas"]["MessageReceivedEvent"] | components["schemas"]["MessageQueuedEvent"] | components["schemas"]["MessageDeliveredEvent"] | components["schemas"]["MessageDeferredEvent"] | components["schemas"]["MessageBouncedEvent"] | components["schemas"]["MessageComplainedEvent"] | components["schemas"]["MessageFailedEvent"] | components["schemas"]["SendingPausedEvent"] | components["schemas"]["SendingResumedEvent"];
        /** @description An inbox received an email. Source: #events. */
        readonly MessageReceivedEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "message.received";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["ReceivedData"];
        };
        /** @description A message sent by the customer was stored and handed to the mail server. Source: #events. */
        readonly MessageQueuedEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "message.queued";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["QueuedData"];
        };
        /** @description A recipient's server accepted the message. Source: #events. */
        readonly MessageDeliveredEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "message.delivered";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["DeliveryData"];
        };
        /** @description Temporary failure; delivery is retried. Source: #events. */
        readonly MessageDeferredEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "message.deferred";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["DeliveryData"];
        };
        /** @description A recipient's server refused the message; `permanent` is true for a hard bounce. Source: #events. */
        readonly MessageBouncedEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "message.bounced";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["BounceData"];
        };
        /** @description A recipient reported the message as spam. Source: #events. */
        readonly MessageComplainedEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "message.complained";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["DeliveryData"];
        };
        /** @description The mail server gave up retrying, or did not accept the message. Source: #events. */
        readonly MessageFailedEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "message.failed";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["FailedData"];
        };
        /** @description Sending was paused for the workspace. Source: #events. */
        readonly SendingPausedEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "sending.paused";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["PausedData"];
        };
        /** @description Sending was resumed for the workspace. Source: #events. */
        readonly SendingResumedEvent: {
            readonly id: components["schemas"]["EventId"];
            /** @constant */
            readonly type: "sending.resumed";
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: components["schemas"]["ResumedData"];
        };
        /** @description An event of a type that is not listed. Source: #data-kinds. */
        readonly OtherEvent: {
            readonly id: components["schemas"]["EventId"];
            readonly type: components["schemas"]["OtherEventType"];
            readonly timestamp: components["schemas"]["EventTimestamp"];
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        /** @description `next_after` continues the list. On an empty page it may be null or absent, which keeps the old cursor. Source: #poll-events. */
        readonly EventPage: {
            readonly data: readonly components["schemas"]["PolledEvent"][];
            readonly next_after?: string | null;
        };
        /** @description An event as `GET /v1/events` lists it: `org_id` and `created_at` instead of `timestamp`. The format of `created_at` is not stated. `type` decides the shape of `data` as in `Event`. Source: #event, #poll-events. */
        readonly PolledEvent: {
            readonly id: components["schemas"]["EventId"];
            readonly type: string;
            readonly org_id: string;
            readonly created_at: string;
            /** @description Not here: `created_at` replaces it. */
            readonly timestamp?: unknown;
            readonly data: {
                readonly [key: string]: unknown;
            };
        } & (components["schemas"]["PolledMessageReceivedEvent"] | components["schemas"]["PolledMessageQueuedEvent"] | components["schemas"]["PolledMessageDeliveredEvent"] | components["schemas"]["PolledMessageDeferredEvent"] | components["schemas"]["PolledMessageBouncedEvent"] | components["schemas"]["PolledMessageComplainedEvent"] | components["schemas"]["PolledMessageFailedEvent"] | components["schemas"]["PolledSendingPausedEvent"] | components["schemas"]["PolledSendingResumedEvent"]);
        /** @description What `message.received` decides of a `PolledEvent`. Source: #events. */
        readonly PolledMessageReceivedEvent: {
            /** @constant */
            readonly type?: "message.received";
            readonly data?: components["schemas"]["ReceivedData"];
        };
        /** @description What `message.queued` decides of a `PolledEvent`. Source: #events. */
        readonly PolledMessageQueuedEvent: {
            /** @constant */
            readonly type?: "message.queued";
            readonly data?: components["schemas"]["QueuedData"];
        };
        /** @description What `message.delivered` decides of a `PolledEvent`. Source: #events. */
        readonly PolledMessageDeliveredEvent: {
            /** @constant */
            readonly type?: "message.delivered";
            readonly data?: components["schemas"]["DeliveryData"];
        };
        /** @description What `message.deferred` decides of a `PolledEvent`. Source: #events. */
        readonly PolledMessageDeferredEvent: {
            /** @constant */
            readonly type?: "message.deferred";
            readonly data?: components["schemas"]["DeliveryData"];
        };
        /** @description What `message.bounced` decides of a `PolledEvent`. Source: #events. */
        readonly PolledMessageBouncedEvent: {
            /** @constant */
            readonly type?: "message.bounced";
            readonly data?: components["schemas"]["BounceData"];
        };
        /** @description What `message.complained` decides of a `PolledEvent`. Source: #events. */
        readonly PolledMessageComplainedEvent: {
            /** @constant */
            readonly type?: "message.complained";
            readonly data?: components["schemas"]["DeliveryData"];
        };
        /** @description What `message.failed` decides of a `PolledEvent`. Source: #events. */
        readonly PolledMessageFailedEvent: {
            /** @constant */
            readonly type?: "message.failed";
            readonly data?: components["schemas"]["FailedData"];
        };
        /** @description What `sending.paused` decides of a `PolledEvent`. Source: #events. */
        readonly PolledSendingPausedEvent: {
            /** @constant */
            readonly type?: "sending.paused";
            readonly data?: components["schemas"]["PausedData"];
        };
        /** @description What `sending.resumed` decides of a `PolledEvent`. Source: #events. */
        readonly PolledSendingResumedEvent: {
            /** @constant */
            readonly type?: "sending.resumed";
            readonly data?: components["schemas"]["ResumedData"];
        };
        /** @description A `PolledEvent` of a type that is not listed. Source: #data-kinds. */
        readonly PolledOtherEvent: {
            readonly type?: components["schemas"]["OtherEventType"];
        };
        /** @description Ids are ordered; what follows the prefix is not shown. Source: #event. */
        readonly EventId: string;
        /** @description ISO 8601 UTC with milliseconds; UTC is written `Z` or `+00:00`. Source: #event. */
        readonly EventTimestamp: string;
        readonly OtherEventType: string;
        readonly MessageId: string;
        readonly InboxId: string;
        readonly ThreadId: string;
        /** @description Null or absent for a message that belongs to no inbox, which the page does not exclude for one sent through `POST /v1/emails`. */
        readonly OptionalInboxId: string | null;
        /** @description Null or absent for a message that belongs to no thread. */
        readonly OptionalThreadId: string | null;
        /** @description Data kind received. Types of `from` and `subject` are not stated. Source: #data-kinds. */
        readonly ReceivedData: {
            readonly message_id: components["schemas"]["MessageId"];
            readonly inbox_id: components["schemas"]["InboxId"];
            readonly thread_id: components["schemas"]["ThreadId"];
            /** @description The sender. */
            readonly from: unknown;
            /** @description The subject. */
            readonly subject: unknown;
        };
        /** @description Data kind queued. `to` and `cc` may be a string or an array; `cc` may be absent where the message has none. Source: #data-kinds. */
        readonly QueuedData: {
            readonly message_id: components["schemas"]["MessageId"];
            readonly inbox_id?: components["schemas"]["OptionalInboxId"];
            readonly thread_id?: components["schemas"]["OptionalThreadId"];
            /** @description The recipients. */
            readonly to: unknown;
            /** @description The recipients of a copy. */
            readonly cc?: unknown;
            /** @description The subject. */
            readonly subject: unknown;
        };
        /** @description Data kind delivery: one recipient of one message. Source: #data-kinds. */
        readonly DeliveryData: {
            readonly message_id: components["schemas"]["MessageId"];
            readonly inbox_id?: components["schemas"]["OptionalInboxId"];
            readonly thread_id?: components["schemas"]["OptionalThreadId"];
            /** @description The recipient this is about. */
            readonly recipient: unknown;
            /** @description The remote server's reply text; null when there was none. */
            readonly response: string | null;
            /** @description Null unless the event is a bounce. Values are not shown. */
            readonly bounce_classification?: unknown;
            /** @description True for a hard bounce. */
            readonly permanent: boolean;
            /** @description The message's new status. Values are not shown. */
            readonly status: string;
        };
        /** @description Data kind delivery of a recipient whose server refused the message. Source: #data-kinds. */
        readonly BounceData: components["schemas"]["DeliveryData"] & {
            readonly bounce_classification: unknown;
        };
        /** @description The delivery fields when the mail server gave up retrying; `reason` instead of them when it did not accept the message. Source: #events. */
        readonly FailedData: components["schemas"]["DeliveryData"] | components["schemas"]["NotAcceptedData"];
        /** @description `reason` instead of the delivery fields, which may still be there without a value. Source: #events. */
        readonly NotAcceptedData: {
            readonly message_id?: string | null;
            readonly inbox_id?: components["schemas"]["OptionalInboxId"];
            readonly thread_id?: components["schemas"]["OptionalThreadId"];
            /** @description Why the message was not accepted. */
            readonly reason: unknown;
        };
        /** @description Data kind workspace with what `sending.paused` adds; types of the three are not stated. Source: #data-kinds. */
        readonly PausedData: {
            readonly workspace_id: string;
            /** @constant */
            readonly status: "paused";
            /** @description Why sending was paused. */
            readonly reason: unknown;
            /** @description When sending was paused. */
            readonly paused_at: unknown;
            /** @description The numbers that led to it. */
            readonly stats: unknown;
        };
        /** @description Data kind workspace. Source: #data-kinds. */
        readonly ResumedData: {
            readonly workspace_id: string;
            /** @constant */
            readonly status: "active";
        };
        /** @description An email with an HTML body, a text body, or both. Source: #sending-endpoints-revealed-by-the-client-library. */
        readonly EmailRequest: components["schemas"]["HtmlEmailRequest"] | components["schemas"]["TextEmailRequest"];
        /** @description An email with an HTML body. */
        readonly HtmlEmailRequest: {
            /** @description An address, or a display name followed by an address in angle brackets. */
            readonly from: string;
            /** @description A single address as a text; other forms, such as a list, are not shown. */
            readonly to: string | readonly string[];
            /** @description The subject line. */
            readonly subject: string;
            /** @description The body as HTML. */
            readonly html: string;
            /** @description The body as plain text. */
            readonly text?: string;
            /** @description When it is sent, ISO 8601; at once where absent. */
            readonly scheduled_at?: string;
        };
        /** @description An email with a plain text body alone. */
        readonly TextEmailRequest: {
            /** @description An address, or a display name followed by an address in angle brackets. */
            readonly from: string;
            /** @description A single address as a text; other forms, such as a list, are not shown. */
            readonly to: string | readonly string[];
            /** @description The subject line. */
            readonly subject: string;
            /** @description The body as plain text. */
            readonly text: string;
            /** @description When it is sent, ISO 8601; at once where absent. */
            readonly scheduled_at?: string;
        };
        readonly EmailUpdate: {
            /** @description ISO 8601. */
            readonly scheduled_at: string;
        };
        readonly SentEmail: {
            readonly id: string | number;
        };
        /** @description The items of `data` and `errors` are not shown. */
        readonly SentBatch: {
            readonly data: readonly unknown[];
            readonly errors?: readonly unknown[] | null;
        };
        /** @description Other fields are not shown. Source: #other-resources. */
        readonly Email: {
            readonly id?: string | number;
            /** @description Values are not shown. */
            readonly status: string;
            /** @description Form not shown. */
            readonly recipients: unknown;
            readonly scheduled_at?: string | null;
        };
        /** @description `next_cursor` may be null or absent on the last page; its type is not stated. */
        readonly EmailPage: {
            readonly data: readonly components["schemas"]["ListedEmail"][];
            /** @description The `cursor` of the next page. */
            readonly next_cursor?: unknown;
        };
        /** @description An email as the list shows it; its fields are not stated. */
        readonly ListedEmail: {
            readonly id?: string | number;
            readonly status?: string;
            /** @description Form not shown. */
            readonly recipients?: unknown;
        };
        readonly EmailReference: {
            /** @description Values are not shown. */
            readonly object: unknown;
            readonly id: string | number;
        };
    };
    responses: {
        /** @description An error; its HTTP status is the response status. Codes beyond those that are named here are not shown; neither are the statuses, but 401 or 403 for a request without a valid key, and 404 or 403 for an id that does not exist. Source: #errors. */
        readonly Refused: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "not_found",
                 *       "message": "There is no webhook with this id.",
                 *       "fix": "Use the id of a webhook that this key can see."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error. `sender_not_verified` (403): `from` uses a domain that is not a domain of the project. Other codes are not shown. Source: #errors. */
        readonly RefusedSend: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "sender_not_verified",
                 *       "message": "The domain of from is not verified.",
                 *       "fix": "Verify the domain first."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error. `invalid_batch`: one or more items are invalid; `errors` has one entry per bad item. `sender_not_verified` (403) as for a single email. Source: #errors. */
        readonly RefusedBatch: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "invalid_batch",
                 *       "message": "1 of 2 emails is invalid.",
                 *       "fix": "Correct the items that errors names.",
                 *       "errors": [
                 *         {
                 *           "index": 1
                 *         }
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description An error; code and status for a `url` that is refused are not shown. Source: #errors. */
        readonly RefusedUrl: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "url_refused",
                 *       "message": "The url leads to a private address.",
                 *       "fix": "Register a public https:// URL."
                 *     }
                 */
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Rate limits are not shown. `Retry-After`, if present, is the time to wait; the client reports it as `retryAfter`. Source: #errors. */
        readonly RateLimited: {
            headers: {
                /** @description Seconds to wait, or an HTTP date. */
                readonly "Retry-After"?: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": unknown;
            };
        };
        /** @description A fault of the server, or of a gateway before it, whose body is its own. No requirement expects a 5xx; where a request must be refused, a 5xx does not count as a refusal. */
        readonly ServerFault: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description Id of a webhook. */
        readonly WebhookId: string;
        /** @description Id of a delivery of that webhook. */
        readonly DeliveryId: string;
        /** @description Id of an email. */
        readonly EmailId: string;
        /** @description Event id, exclusive: only events with a greater id follow. Source: #event. */
        readonly After: string;
        /** @description Items of a page. What happens above 100 is not shown for deliveries. Source: #limits. */
        readonly Limit: number;
        /** @description A send that repeats a key returns the first result. Source: #client-library-behaviour. */
        readonly IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The webhooks; the shape of the list is not shown. An item that is found is a `Webhook`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whk_1",
                     *           "url": "https://example.com/hooks",
                     *           "event_types": [
                     *             "message.received"
                     *           ],
                     *           "inbox_id": null
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookList"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description The webhooks; the shape of the list is not shown. An item that is found is a `Webhook`. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whk_1",
                     *           "url": "https://example.com/hooks",
                     *           "event_types": [
                     *             "message.received"
                     *           ],
                     *           "inbox_id": null
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["WebhookList"];
                };
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks",
                 *       "event_types": [
                 *         "message.received"
                 *       ]
                 *     }
                 */
                readonly "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        readonly responses: {
            /** @description The webhook with its secret. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_1",
                     *       "url": "https://example.com/hooks",
                     *       "event_types": [
                     *         "message.received"
                     *       ],
                     *       "inbox_id": null,
                     *       "secret": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
                     *     }
                     */
                    readonly "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly "4XX": components["responses"]["RefusedUrl"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of a webhook. */
                readonly id: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 429: components["responses"]["RateLimited"];
            /** @description Deleted. Status and body are not shown; the body may be absent. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly listDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Items of a page. What happens above 100 is not shown for deliveries. Source: #limits. */
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Id of a webhook. */
                readonly id: components["parameters"]["WebhookId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The deliveries; the envelope is not shown. An item that is found is a `Delivery`. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_1",
                     *           "status": "pending",
                     *           "attempt": 1,
                     *           "response_code": 500,
                     *           "response_body_snippet": "Oops",
                     *           "next_attempt_at": "2026-01-02T03:04:10.678Z"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DeliveryList"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description The deliveries; the envelope is not shown. An item that is found is a `Delivery`. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dlv_1",
                     *           "status": "pending",
                     *           "attempt": 1,
                     *           "response_code": 500,
                     *           "response_body_snippet": "Oops",
                     *           "next_attempt_at": "2026-01-02T03:04:10.678Z"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["DeliveryList"];
                };
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly replayDelivery: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of a webhook. */
                readonly id: components["parameters"]["WebhookId"];
                /** @description Id of a delivery of that webhook. */
                readonly delivery_id: components["parameters"]["DeliveryId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Accepted. The body is not shown, and may be absent. */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly pollEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Event id, exclusive: only events with a greater id follow. Source: #event. */
                readonly after?: components["parameters"]["After"];
                /** @description Items of a page. What happens above 100 is not shown for deliveries. Source: #limits. */
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of events. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_1",
                     *           "type": "message.received",
                     *           "org_id": "org_1",
                     *           "created_at": "2026-01-02T03:04:05.678Z",
                     *           "data": {
                     *             "message_id": "msg_1",
                     *             "inbox_id": "ibx_1",
                     *             "thread_id": "thr_1",
                     *             "from": "ada@sender.example",
                     *             "subject": "Hello"
                     *           }
                     *         }
                     *       ],
                     *       "next_after": "evt_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EventPage"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description A page of events. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_1",
                     *           "type": "message.received",
                     *           "org_id": "org_1",
                     *           "created_at": "2026-01-02T03:04:05.678Z",
                     *           "data": {
                     *             "message_id": "msg_1",
                     *             "inbox_id": "ibx_1",
                     *             "thread_id": "thr_1",
                     *             "from": "ada@sender.example",
                     *             "subject": "Hello"
                     *           }
                     *         }
                     *       ],
                     *       "next_after": "evt_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EventPage"];
                };
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly streamEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Event id, exclusive: only events with a greater id follow. Source: #event. */
                readonly after?: components["parameters"]["After"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Switching protocols. `x-frame` is the schema of every text frame. */
            readonly 101: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description The upgrade is refused; how, and with what body, is not shown. */
            readonly "4XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly listEmails: {
        readonly parameters: {
            readonly query?: {
                /** @description Emails of a page. */
                readonly limit?: number;
                /** @description The `next_cursor` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of emails. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "em_1",
                     *           "status": "delivered",
                     *           "recipients": [
                     *             "bob@recipient.example"
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmailPage"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description A page of emails. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "em_1",
                     *           "status": "delivered",
                     *           "recipients": [
                     *             "bob@recipient.example"
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmailPage"];
                };
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly sendEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A send that repeats a key returns the first result. Source: #client-library-behaviour. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "from": "Ada <ada@verified.example>",
                 *       "to": "bob@recipient.example",
                 *       "subject": "Hello",
                 *       "text": "Hi"
                 *     }
                 */
                readonly "application/json": components["schemas"]["EmailRequest"];
            };
        };
        readonly responses: {
            /** @description Taken. The success status is not stated. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "em_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SentEmail"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description Taken. The success status is not stated. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "em_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SentEmail"];
                };
            };
            readonly "4XX": components["responses"]["RefusedSend"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly sendBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description A send that repeats a key returns the first result. Source: #client-library-behaviour. */
                readonly "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example [
                 *       {
                 *         "from": "ada@verified.example",
                 *         "to": "bob@recipient.example",
                 *         "subject": "Hello",
                 *         "text": "Hi"
                 *       }
                 *     ]
                 */
                readonly "application/json": readonly components["schemas"]["EmailRequest"][];
            };
        };
        readonly responses: {
            /** @description Taken. The success status is not stated. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "em_1"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SentBatch"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description Taken. The success status is not stated. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "em_1"
                     *         }
                     *       ]
                     *     }
                     */
                    readonly "application/json": components["schemas"]["SentBatch"];
                };
            };
            readonly "4XX": components["responses"]["RefusedBatch"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly getEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of an email. */
                readonly id: components["parameters"]["EmailId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The email. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "em_1",
                     *       "status": "scheduled",
                     *       "recipients": [
                     *         "bob@recipient.example"
                     *       ],
                     *       "scheduled_at": "2026-01-02T03:04:05.678Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Email"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description The email. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "em_1",
                     *       "status": "scheduled",
                     *       "recipients": [
                     *         "bob@recipient.example"
                     *       ],
                     *       "scheduled_at": "2026-01-02T03:04:05.678Z"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Email"];
                };
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly updateEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of an email. */
                readonly id: components["parameters"]["EmailId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "scheduled_at": "2026-01-02T03:04:05.678Z"
                 *     }
                 */
                readonly "application/json": components["schemas"]["EmailUpdate"];
            };
        };
        readonly responses: {
            /** @description Rescheduled. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "email",
                     *       "id": "em_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmailReference"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description Rescheduled. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "email",
                     *       "id": "em_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmailReference"];
                };
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly cancelEmail: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id of an email. */
                readonly id: components["parameters"]["EmailId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Cancelled. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "email",
                     *       "id": "em_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmailReference"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /** @description Cancelled. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "email",
                     *       "id": "em_1"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["EmailReference"];
                };
            };
            readonly "4XX": components["responses"]["Refused"];
            readonly "5XX": components["responses"]["ServerFault"];
        };
    };
    readonly receiveEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header: {
                /** @description The event id, identical on every retry. Source: #webhook-signature-standard-webhooks. */
                readonly "webhook-id": string;
                /** @description Unix seconds at which this attempt was signed. Source: #webhook-signature-standard-webhooks. */
                readonly "webhook-timestamp": string;
                /** @description One or more entries separated by a space; at least one is `v1,<base64>`. Entries of other versions are ignored. Source: #webhook-signature-standard-webhooks. */
                readonly "webhook-signature": string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "id": "evt_1",
                 *       "type": "message.received",
                 *       "timestamp": "2026-01-02T03:04:05.678Z",
                 *       "data": {
                 *         "message_id": "msg_1",
                 *         "inbox_id": "ibx_1",
                 *         "thread_id": "thr_1",
                 *         "from": "ada@sender.example",
                 *         "subject": "Hello"
                 *       }
                 *     }
                 */
                readonly "application/json": components["schemas"]["Event"];
            };
        };
        readonly responses: {
            /** @description The attempt succeeded. */
            readonly "2XX": {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, whatever the status; it is repeated per the retry schedule. */
            readonly default: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
