// Generated from control.yaml by spec/generate.js; changes here are lost.

export interface paths {
    readonly "/": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Version and capabilities */
        readonly get: operations["describeControl"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/workspaces": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * A fresh, isolated workspace
         * @description Capability `workspaces`.
         */
        readonly post: operations["createWorkspace"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/workspaces/{workspace_id}": {
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
         * Drops a workspace and all that belongs to it
         * @description Capability `workspaces`.
         */
        readonly delete: operations["deleteWorkspace"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Raises an event as if the service had
         * @description Capability `events`. The event is stored, streamed and delivered; its inbox is `data.inbox_id`.
         */
        readonly post: operations["raiseEvent"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/workspaces/{workspace_id}/sending": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Pauses or resumes sending
         * @description Capability `sending`. Raises `sending.paused` or `sending.resumed`.
         */
        readonly post: operations["setSendingStatus"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/workspaces/{workspace_id}/clock": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Moves the clock of a workspace forward
         * @description Capability `clock`. The clock is real time plus an offset. An advance makes every attempt that falls due on the way, in order, each at its due time (which is what `webhook-timestamp` shows), and answers once every attempt due by then has ended. An attempt in flight times out when the clock passes its start by 10 s; while advancing it is first given up to 500 ms of real time to be answered. 0 waits until nothing is due or in flight.
         */
        readonly post: operations["advanceClock"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/dns": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * What the service's resolver answers
         * @description Capability `dns`. Lookups of `host` are answered with the first list, then the second, and so on; the last one stays. A new call replaces the list.
         */
        readonly post: operations["setDnsAnswers"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/egress": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Exempts addresses from the refusal of private ones
         * @description Capability `egress`. Exempts exactly these address:port pairs, at creation and at delivery, and trusts the CA for deliveries; calls add up.
         */
        readonly post: operations["allowEgress"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly ControlDescription: {
            /**
             * @description Version of this interface.
             * @constant
             */
            readonly control: 1;
            /** @description Name of the service. */
            readonly name: string;
            /** @description Version of the service. */
            readonly version: string;
            /** @description Any of `workspaces`, `events`, `sending`, `clock`, `dns`, `egress`; others are ignored. */
            readonly capabilities: readonly string[];
        };
        readonly Workspace: {
            readonly workspace_id: string;
            readonly projects: readonly components["schemas"]["Project"][];
        };
        readonly Project: {
            readonly org_id: string;
            /** @description Sees the whole org. */
            readonly api_key: string;
            /** @description Verified for sending. */
            readonly domain: string;
            readonly inboxes: readonly components["schemas"]["Inbox"][];
        };
        readonly Inbox: {
            readonly id: string;
            readonly address: string;
            /** @description Scoped to this inbox. */
            readonly api_key: string;
        };
        readonly RaisedEvent: {
            readonly id: string;
        };
        /** @enum {string} */
        readonly SendingStatus: "paused" | "active";
        readonly ClockReading: {
            /** @description The time of the workspace in ISO 8601. */
            readonly now: string;
        };
        /** @description The error fields of the interface, at the top level or under `error`. */
        readonly Error: components["schemas"]["ErrorFields"] | {
            readonly error: components["schemas"]["ErrorFields"];
        };
        readonly ErrorFields: {
            readonly code: string;
            readonly message: string;
            readonly fix: string;
        };
    };
    responses: {
        /** @description No control key or a wrong one. A body is optional. */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A field is missing or of the wrong type. */
        readonly WrongField: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unknown workspace or org. */
        readonly Unknown: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        readonly WorkspaceId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly describeControl: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What this deployment offers. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ControlDescription"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
        };
    };
    readonly createWorkspace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Number of projects. */
                    readonly projects: number;
                    /** @description Number of inboxes in each project. */
                    readonly inboxes: number;
                };
            };
        };
        readonly responses: {
            /** @description The workspace with its keys. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
            readonly 400: components["responses"]["WrongField"];
            readonly 401: components["responses"]["Unauthorized"];
        };
    };
    readonly deleteWorkspace: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly workspace_id: components["parameters"]["WorkspaceId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Dropped. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Unknown"];
        };
    };
    readonly raiseEvent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly org_id: string;
                    /** @description An event type of the interface. */
                    readonly type: string;
                    /** @description Passed on as it is. */
                    readonly data: Record<string, unknown>;
                };
            };
        };
        readonly responses: {
            /** @description The id of the event. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RaisedEvent"];
                };
            };
            readonly 400: components["responses"]["WrongField"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Unknown"];
        };
    };
    readonly setSendingStatus: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly workspace_id: components["parameters"]["WorkspaceId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly status: components["schemas"]["SendingStatus"];
                    /** @description The `reason` of `sending.paused`. */
                    readonly reason?: string;
                };
            };
        };
        readonly responses: {
            /** @description The new status. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        readonly status: components["schemas"]["SendingStatus"];
                    };
                };
            };
            readonly 400: components["responses"]["WrongField"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Unknown"];
        };
    };
    readonly advanceClock: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly workspace_id: components["parameters"]["WorkspaceId"];
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Milliseconds. */
                    readonly advance_ms: number;
                };
            };
        };
        readonly responses: {
            /** @description The clock after the advance. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ClockReading"];
                };
            };
            readonly 400: components["responses"]["WrongField"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["Unknown"];
        };
    };
    readonly setDnsAnswers: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly host: string;
                    /** @description One list of IPv4 and IPv6 addresses for each lookup. */
                    readonly answers: readonly (readonly string[])[];
                };
            };
        };
        readonly responses: {
            /** @description Set. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["WrongField"];
            readonly 401: components["responses"]["Unauthorized"];
        };
    };
    readonly allowEgress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @description Pairs `address:port`; an IPv6 address is in brackets. */
                    readonly allow: readonly string[];
                    /** @description A certificate in PEM. */
                    readonly ca?: string;
                };
            };
        };
        readonly responses: {
            /** @description Exempted. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["WrongField"];
            readonly 401: components["responses"]["Unauthorized"];
        };
    };
}
