// Written by `npm run api-types`; do not edit.
export interface paths {
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What was done in the workspace, by whom, newest first. */
        get: operations["audit_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalogue/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List entries, with their values. */
        get: operations["catalogue_entries_list"];
        put?: never;
        /** @description Add an entry of the workspace's own. */
        post: operations["catalogue_entries_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalogue/entries/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the entry; the workspace's own goes before a built-in one. */
        get: operations["catalogue_entries_retrieve"];
        put?: never;
        post?: never;
        /** @description Remove the workspace's own entry. */
        delete: operations["catalogue_entries_destroy"];
        options?: never;
        head?: never;
        /** @description Change the workspace's own entry. */
        patch: operations["catalogue_entries_partial_update"];
        trace?: never;
    };
    "/api/v1/catalogue/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List the kinds, with the number of entries of each. */
        get: operations["catalogue_kinds_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/catalogue/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What the built-in catalogue was, and since when. */
        get: operations["catalogue_snapshots_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/designs/{design_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the design with the faults of its draft. */
        get: operations["designs_get"];
        put?: never;
        post?: never;
        /** @description Remove the design; the others keep their letters. */
        delete: operations["designs_delete"];
        options?: never;
        head?: never;
        /** @description Save a draft; what is wrong with it comes back as ``faults``. */
        patch: operations["designs_update"];
        trace?: never;
    };
    "/api/v1/designs/{design_id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Copy the design within its study. */
        post: operations["designs_copy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/designs/{design_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return what leads from a named version, or another design, to this one. */
        get: operations["designs_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/designs/{design_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List the design's named versions, oldest first. */
        get: operations["designs_versions"];
        put?: never;
        /** @description Give the design's present state a name. */
        post: operations["designs_versions_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Evaluate a model now; 413 when the question is too large for that. */
        post: operations["evaluate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List every model. */
        get: operations["models_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the model with the JSON schemas of its input and output, and its formulas. */
        get: operations["models_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return each published figure with the model's own beside it, computed live. */
        get: operations["models_checks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List reports, newest first. */
        get: operations["reports_list"];
        put?: never;
        /** @description Have a study drawn as it is saved now; 422 with every fault when it is incomplete. */
        post: operations["reports_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the report's state and which result it shows. */
        get: operations["reports_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the file; 409 while there is none. */
        get: operations["reports_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List runs, newest first. */
        get: operations["runs_list"];
        put?: never;
        /** @description Start a run of a study, or of any model; an answered question ends at once. */
        post: operations["runs_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the run's state and its frozen inputs. */
        get: operations["runs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Compute the same inputs anew with the model as it is now, to be compared. */
        post: operations["runs_again"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Ask the run to stop; 409 when it has ended already. */
        post: operations["runs_cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the figures that differ from those of another run. */
        get: operations["runs_compare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the whole result, series reduced to 2,000 points; 409 while there is none. */
        get: operations["runs_result"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/result.bin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return every series in full as little-endian float32 columns behind a JSON head. */
        get: operations["runs_result_bin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{run_id}/result.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return every series in full as CSV, one column each. */
        get: operations["runs_result_csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Say who is signed in; 401 when nobody is. Sets the CSRF cookie. */
        get: operations["session_retrieve"];
        put?: never;
        /** @description Sign in with a one-time code, or with e-mail and password. */
        post: operations["session_create"];
        /** @description Sign out; also right when nobody is signed in. */
        delete: operations["session_destroy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List the studies as cards, last changed first. */
        get: operations["studies_list"];
        put?: never;
        /** @description Create a study; its documents may be incomplete drafts. */
        post: operations["studies_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{study_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the study with its designs and the faults of its drafts. */
        get: operations["studies_get"];
        put?: never;
        post?: never;
        /** @description Delete the study with all that belongs to it. */
        delete: operations["studies_delete"];
        options?: never;
        head?: never;
        /** @description Save a draft; what is wrong with it comes back as ``faults``. */
        patch: operations["studies_update"];
        trace?: never;
    };
    "/api/v1/studies/{study_id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Copy the study with its designs. */
        post: operations["studies_copy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{study_id}/designs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description List the study's designs in their order. */
        get: operations["studies_designs"];
        put?: never;
        /** @description Add a design under the next free letter, at most eight. */
        post: operations["designs_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{study_id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the params that ``evaluate`` and ``runs`` take for this study. */
        get: operations["studies_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{study_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Return the whole study as one YAML or JSON file that can be imported again. */
        get: operations["studies_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @description Create the study that the body, a file made by ``export``, holds. */
        post: operations["studies_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The workspace's API tokens. */
        get: operations["tokens_list"];
        put?: never;
        /** @description Create a token; the answer is the only place where it can be read. */
        post: operations["tokens_create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** @description Revoke the token. */
        delete: operations["tokens_destroy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AuditOutput: {
            /** Format: uuid */
            id: string;
            actor_email: string;
            /** Format: uuid */
            token_id: string | null;
            action: string;
            target: string;
            detail: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @description * `published` - published
         *     * `derived` - derived
         *     * `regression` - regression
         * @enum {string}
         */
        BasisEnum: "published" | "derived" | "regression";
        /** @description An entry; a field that is not there is unknown. */
        CatalogueEntry: {
            slug: string;
            kind: string;
            title: string;
            /** @description Added by the workspace, not built in. */
            is_own: boolean;
            revision: number;
            /** Format: date-time */
            updated_at: string;
            values: {
                [key: string]: components["schemas"]["CatalogueValue"];
            };
        };
        CatalogueEntryInputRequest: {
            slug?: string | null;
            kind: string;
            title: string;
            values: {
                [key: string]: components["schemas"]["CatalogueValueInputRequest"];
            };
        };
        CatalogueKind: {
            kind: string;
            entries_count: number;
        };
        /** @description The built-in catalogue as of the date of its newest price. */
        CatalogueSnapshot: {
            id: string;
            /** Format: date */
            as_of: string;
            digest: string;
            entries_count: number;
            kinds: {
                [key: string]: number;
            };
            /** Format: date-time */
            loaded_at: string;
        };
        /** @description One field of an entry, with its provenance. */
        CatalogueValue: {
            value: number | string | number[];
            /** @description None for a text. */
            unit: string | null;
            quality: components["schemas"]["QualityEnum"];
            source: string;
            url: string | null;
            /**
             * Format: date
             * @description Never newer than the source.
             */
            as_of: string | null;
            /** Format: double */
            low: number | null;
            /** Format: double */
            high: number | null;
            note: string;
        };
        /** @description One field of an own entry; the unit is the end of the field's name. */
        CatalogueValueInputRequest: {
            value: number | string | number[];
            unit?: string | null;
            quality?: components["schemas"]["QualityEnum"];
            source?: string;
            /** Format: uri */
            url?: string | null;
            /** Format: date */
            as_of?: string | null;
            /** Format: double */
            low?: number | null;
            /** Format: double */
            high?: number | null;
            note?: string;
        };
        /**
         * @description * `added` - added
         *     * `removed` - removed
         *     * `changed` - changed
         * @enum {string}
         */
        ChangeEnum: "added" | "removed" | "changed";
        /** @description A figure of a paper, ours beside it. */
        CheckOutput: {
            model: string;
            check: string;
            title: string;
            source: string;
            basis: components["schemas"]["BasisEnum"];
            published: (number | boolean | string) | null;
            printed: string | null;
            ours: (number | boolean | string) | null;
            /** Format: double */
            tolerance: number;
            unit: string;
            ok: boolean;
            note: string | null;
        };
        Citation: {
            text: string;
            url: string | null;
            section: string | null;
        };
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        DesignCreateInputRequest: {
            letter?: components["schemas"]["LetterEnum"];
            title: string;
            kind: string;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            spec?: {
                [key: string]: unknown;
            };
            provenance?: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        DesignDiffOutput: {
            /** Format: uuid */
            against: string;
            against_title: string;
            differences: components["schemas"]["Difference"][];
        };
        DesignOutput: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            study: string;
            letter: string;
            title: string;
            kind: string;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            spec: {
                [key: string]: unknown;
            };
            provenance: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            position: number;
            revision: number;
            readonly faults: components["schemas"]["Fault"][];
            /** Format: date-time */
            updated_at: string;
        };
        Difference: {
            pointer: string;
            change: components["schemas"]["ChangeEnum"];
            before: unknown;
            after: unknown;
        };
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        EvaluateInputRequest: {
            /** @default plans.compare */
            model: string;
            /** @description Input of the model; its JSON schema is `params_schema` of `/api/v1/models/{model}`. Pointers of faults are relative to it. */
            params?: {
                [key: string]: unknown;
            };
            /** @description Instead of the number in the params. */
            draws_count?: number;
            /**
             * Format: uuid
             * @description Without params: the study as saved. With params equal to what is saved: its card keeps the verdict.
             */
            study?: string;
        };
        EvaluateOutput: {
            model: string;
            version: string;
            inputs_hash: string;
            /** @description Its JSON schema is `result_schema` of `/api/v1/models/{model}`. */
            result: {
                [key: string]: unknown;
            };
        };
        /** @description One thing that is wrong with the request, at a JSON pointer. */
        Fault: {
            pointer: string;
            code: string;
            message: string;
        };
        /**
         * @description * `pdf` - pdf
         *     * `xlsx` - xlsx
         *     * `csv` - csv
         * @enum {string}
         */
        FormatEnum: "pdf" | "xlsx" | "csv";
        Formula: {
            id: string;
            text: string;
            source: string;
            symbols: {
                [key: string]: string;
            };
        };
        JobError: {
            code: string;
            message: string;
            faults: components["schemas"]["Fault"][];
        };
        /**
         * @description * `A` - A
         *     * `B` - B
         *     * `C` - C
         *     * `D` - D
         *     * `E` - E
         *     * `F` - F
         *     * `G` - G
         *     * `H` - H
         * @enum {string}
         */
        LetterEnum: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H";
        /** @description A model with its schemas and formulas. */
        ModelDetailOutput: {
            id: string;
            title: string;
            summary: string;
            family: string;
            version: string;
            params_version: number;
            instant: boolean;
            stochastic: boolean;
            citations: components["schemas"]["Citation"][];
            /** @description Count the published checks. */
            readonly checks_count: number;
            formulas: components["schemas"]["Formula"][];
            limits: string[];
            /** @description JSON schema with units and sources. */
            readonly params_schema: {
                [key: string]: unknown;
            };
            /** @description JSON schema with units. */
            readonly result_schema: {
                [key: string]: unknown;
            };
        };
        /** @description A published relation as code. */
        ModelOutput: {
            id: string;
            title: string;
            summary: string;
            family: string;
            version: string;
            params_version: number;
            instant: boolean;
            stochastic: boolean;
            citations: components["schemas"]["Citation"][];
            /** @description Count the published checks. */
            readonly checks_count: number;
        };
        MovedFigure: {
            pointer: string;
            before: unknown;
            after: unknown;
            /**
             * Format: double
             * @description (after - before) / |before|, for numbers.
             */
            relative_fraction: number | null;
        };
        PaginatedAuditOutputList: {
            results: components["schemas"]["AuditOutput"][];
            next_cursor: string | null;
            previous_cursor: string | null;
        };
        PaginatedCatalogueEntryList: {
            results: components["schemas"]["CatalogueEntry"][];
            next_cursor: string | null;
            previous_cursor: string | null;
        };
        PaginatedCatalogueSnapshotList: {
            results: components["schemas"]["CatalogueSnapshot"][];
            next_cursor: string | null;
            previous_cursor: string | null;
        };
        PaginatedReportOutputList: {
            results: components["schemas"]["ReportOutput"][];
            next_cursor: string | null;
            previous_cursor: string | null;
        };
        PaginatedRunOutputList: {
            results: components["schemas"]["RunOutput"][];
            next_cursor: string | null;
            previous_cursor: string | null;
        };
        PaginatedStudyCardList: {
            results: components["schemas"]["StudyCard"][];
            next_cursor: string | null;
            previous_cursor: string | null;
        };
        PaginatedTokenOutputList: {
            results: components["schemas"]["TokenOutput"][];
            next_cursor: string | null;
            previous_cursor: string | null;
        };
        /**
         * @description * `a4` - a4
         *     * `letter` - letter
         * @enum {string}
         */
        PaperEnum: "a4" | "letter";
        PatchedCatalogueEntryChangeInputRequest: {
            title?: string;
            values?: {
                [key: string]: components["schemas"]["CatalogueValueInputRequest"];
            };
        };
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        PatchedDesignUpdateInputRequest: {
            title?: string;
            kind?: string;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            spec?: {
                [key: string]: unknown;
            };
            provenance?: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            position?: number;
        };
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        PatchedStudyUpdateInputRequest: {
            title?: string;
            question?: string;
            snapshot?: string;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            workload?: {
                [key: string]: unknown;
            };
            workload_provenance?: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            assumptions?: {
                [key: string]: unknown;
            };
            assumptions_provenance?: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            baseline?: {
                [key: string]: unknown;
            } | null;
            ranges?: {
                [key: string]: unknown;
            }[];
            draws_count?: number;
            /** Format: int64 */
            seed?: number;
        };
        /**
         * @description * `measured` - measured
         *     * `published` - published
         *     * `recalled` - recalled
         *     * `assumed` - assumed
         *     * `derived` - derived
         *     * `typed` - typed
         * @enum {string}
         */
        QualityEnum: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        ReportCreateInputRequest: {
            /** Format: uuid */
            study: string;
            /** @default pdf */
            format: components["schemas"]["FormatEnum"];
            /**
             * @description For a PDF.
             *
             *     * `a4` - a4
             *     * `letter` - letter
             * @default a4
             */
            paper: components["schemas"]["PaperEnum"];
        };
        /** @description A report and the state of its job, without its file. */
        ReportOutput: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            study: string | null;
            /**
             * Format: uuid
             * @description The stored run whose result it shows.
             */
            run: string | null;
            title: string;
            format: components["schemas"]["FormatEnum"];
            paper: components["schemas"]["PaperEnum"];
            file_name: string;
            bytes_count: number | null;
            sha256: string;
            model: string;
            model_version: string;
            inputs_hash: string;
            snapshot: string;
            state: components["schemas"]["StateEnum"];
            /** Format: double */
            progress_fraction: number;
            progress_message: string;
            /** Format: double */
            readonly seconds_left: number | null;
            error: components["schemas"]["JobError"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            submitted_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        /** @description Which figures of two results differ. */
        RunCompareOutput: {
            /** Format: uuid */
            before: string;
            before_version: string;
            /** Format: uuid */
            after: string;
            after_version: string;
            same: boolean;
            /** Format: double */
            largest_relative_fraction: number | null;
            moved: components["schemas"]["MovedFigure"][];
        };
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        RunCreateInputRequest: {
            /**
             * Format: uuid
             * @description Compare a study as it is saved.
             */
            study?: string;
            model?: string;
            /** @description Input of the model; its JSON schema is `params_schema` of `/api/v1/models/{model}`. Pointers of faults are relative to it. */
            params?: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            seed?: number;
        };
        /** @description A run with its frozen inputs. */
        RunDetailOutput: {
            /** Format: uuid */
            id: string;
            model: string;
            model_version: string;
            /** Format: uuid */
            study: string | null;
            state: components["schemas"]["StateEnum"];
            /** Format: double */
            progress_fraction: number;
            progress_message: string;
            /** Format: double */
            readonly seconds_left: number | null;
            inputs_hash: string;
            seed: number;
            snapshot: string;
            /** @description Say whether an earlier run answered this one. */
            readonly reused: boolean;
            /** Format: uuid */
            reused_from: string | null;
            /** Format: uuid */
            again_of: string | null;
            winner: string;
            /** Format: double */
            cost_usd: number | null;
            headline: string;
            error: components["schemas"]["JobError"] | null;
            /** Format: date-time */
            submitted_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            params: {
                [key: string]: unknown;
            };
            params_version: number;
        };
        /** @description A run and the state of its job, without inputs and result. */
        RunOutput: {
            /** Format: uuid */
            id: string;
            model: string;
            model_version: string;
            /** Format: uuid */
            study: string | null;
            state: components["schemas"]["StateEnum"];
            /** Format: double */
            progress_fraction: number;
            progress_message: string;
            /** Format: double */
            readonly seconds_left: number | null;
            inputs_hash: string;
            seed: number;
            snapshot: string;
            /** @description Say whether an earlier run answered this one. */
            readonly reused: boolean;
            /** Format: uuid */
            reused_from: string | null;
            /** Format: uuid */
            again_of: string | null;
            winner: string;
            /** Format: double */
            cost_usd: number | null;
            headline: string;
            error: components["schemas"]["JobError"] | null;
            /** Format: date-time */
            submitted_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            ended_at: string | null;
        };
        RunResultOutput: {
            model: string;
            version: string;
            inputs_hash: string;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            result: {
                [key: string]: unknown;
            };
        };
        /**
         * @description * `read` - read
         *     * `write` - write
         *     * `run` - run
         * @enum {string}
         */
        ScopesEnum: "read" | "write" | "run";
        /** @description Either a one-time code, or e-mail and password. */
        SessionCreateInputRequest: {
            code?: string;
            /** Format: email */
            email?: string;
            password?: string;
        };
        SessionOutput: {
            user: components["schemas"]["SessionUser"];
            workspace: components["schemas"]["SessionWorkspace"];
            /** @description Address of the event stream. */
            events_url: string;
        };
        SessionUser: {
            /** Format: uuid */
            id: string;
            email: string;
        };
        SessionWorkspace: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        /**
         * @description * `queued` - queued
         *     * `running` - running
         *     * `succeeded` - succeeded
         *     * `failed` - failed
         *     * `cancelled` - cancelled
         * @enum {string}
         */
        StateEnum: "queued" | "running" | "succeeded" | "failed" | "cancelled";
        /** @description A study as its card shows it. */
        StudyCard: {
            /** Format: uuid */
            id: string;
            slug: string;
            title: string;
            is_example: boolean;
            revision: number;
            /** @description 0 when the plan can answer. */
            faults_count: number;
            /** @description Letter of the cheapest design, or empty. */
            winner: string;
            /** Format: double */
            cost_usd: number | null;
            verdict: ({
                /** @enum {string} */
                kind: "winner" | "toss_up" | "single" | "none_carries";
                headline: string;
                payoff: string | null;
                odds: string | null;
                flips: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            snapshot: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            designs: components["schemas"]["StudyCardDesign"][];
        };
        StudyCardDesign: {
            /** Format: uuid */
            id: string;
            letter: string;
            title: string;
            kind: string;
        };
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        StudyCreateInputRequest: {
            title: string;
            question?: string;
            snapshot?: string;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            workload?: {
                [key: string]: unknown;
            };
            workload_provenance?: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            assumptions?: {
                [key: string]: unknown;
            };
            assumptions_provenance?: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            baseline?: {
                [key: string]: unknown;
            } | null;
            ranges?: {
                [key: string]: unknown;
            }[];
            draws_count?: number;
            /** Format: int64 */
            seed?: number;
            designs?: components["schemas"]["DesignCreateInputRequest"][];
        };
        /** @description The study as plans.compare takes it. */
        StudyDocumentOutput: {
            designs: {
                [key: string]: unknown;
            }[];
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            workload: {
                [key: string]: unknown;
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            assumptions: {
                [key: string]: unknown;
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            baseline: {
                [key: string]: unknown;
            } | null;
            ranges: {
                [key: string]: unknown;
            }[];
            draws_count: number;
            seed: number;
        };
        /** @description A whole study with its designs. */
        StudyOutput: {
            /** Format: uuid */
            id: string;
            slug: string;
            title: string;
            question: string;
            is_example: boolean;
            revision: number;
            params_version: number;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            workload: {
                [key: string]: unknown;
            };
            workload_provenance: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            assumptions: {
                [key: string]: unknown;
            };
            assumptions_provenance: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            baseline: {
                [key: string]: unknown;
            } | null;
            ranges: {
                [key: string]: unknown;
            }[];
            draws_count: number;
            seed: number;
            snapshot: string;
            winner: string;
            /** Format: double */
            cost_usd: number | null;
            verdict: ({
                /** @enum {string} */
                kind: "winner" | "toss_up" | "single" | "none_carries";
                headline: string;
                payoff: string | null;
                odds: string | null;
                flips: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
            readonly faults: components["schemas"]["Fault"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            designs: components["schemas"]["DesignOutput"][];
        };
        TokenCreateInputRequest: {
            title: string;
            scopes?: components["schemas"]["ScopesEnum"][];
            /** Format: date-time */
            expires_at?: string | null;
        };
        TokenCreatedOutput: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @description First characters, to tell tokens apart. */
            prefix: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** @description The token itself; it is shown this once. */
            token: string;
        };
        TokenOutput: {
            /** Format: uuid */
            id: string;
            title: string;
            /** @description First characters, to tell tokens apart. */
            prefix: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
        };
        /** @description Refuses fields that it does not know, and text that cannot be stored. */
        VersionCreateInputRequest: {
            name: string;
        };
        VersionOutput: {
            /** Format: uuid */
            id: string;
            name: string;
            title: string;
            kind: string;
            /** @description A draft in the shape of plans.compare; its JSON schema is `params_schema` of `/api/v1/models/plans.compare`. */
            spec: {
                [key: string]: unknown;
            };
            provenance: {
                [key: string]: {
                    /** @enum {string} */
                    quality: "measured" | "published" | "recalled" | "assumed" | "derived" | "typed";
                    source?: string | null;
                    url?: string | null;
                    as_of?: string | null;
                    note?: string | null;
                    entry?: string | null;
                    low?: number | null;
                    high?: number | null;
                } & {
                    [key: string]: unknown;
                };
            };
            /** Format: date-time */
            created_at: string;
        };
        /** @description RFC 9457 problem document with all faults at once. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            errors: components["schemas"]["Fault"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    audit_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedAuditOutputList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    catalogue_entries_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Only entries of this kind. */
                kind?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                /** @description Words that title or slug must hold. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedCatalogueEntryList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    catalogue_entries_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CatalogueEntryInputRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEntry"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    catalogue_entries_retrieve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEntry"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    catalogue_entries_destroy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    catalogue_entries_partial_update: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedCatalogueEntryChangeInputRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEntry"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    catalogue_kinds_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueKind"][];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    catalogue_snapshots_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedCatalogueSnapshotList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                design_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesignOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the revision that was edited. */
                "If-Match"?: string;
            };
            path: {
                design_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the revision that was edited. */
                "If-Match"?: string;
            };
            path: {
                design_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedDesignUpdateInputRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesignOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_copy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                design_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesignOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_diff: {
        parameters: {
            query: {
                /** @description Id of a named version or a design. */
                against: string;
            };
            header?: never;
            path: {
                design_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesignDiffOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_versions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                design_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionOutput"][];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_versions_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                design_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VersionCreateInputRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    evaluate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EvaluateInputRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluateOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelOutput"][];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelDetailOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    models_checks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckOutput"][];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reports_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                study?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedReportOutputList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reports_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportCreateInputRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reports_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reports_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                model?: string;
                state?: "cancelled" | "failed" | "queued" | "running" | "succeeded";
                study?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedRunOutputList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunCreateInputRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetailOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_again: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_compare: {
        parameters: {
            query: {
                against: string;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunCompareOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_result: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResultOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_result_bin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runs_result_csv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_retrieve: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SessionCreateInputRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session_destroy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
                /** @description Part of the title. */
                q?: string;
                sort?: "-cost_usd" | "-title" | "-updated_at" | "cost_usd" | "title" | "updated_at";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedStudyCardList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StudyCreateInputRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_delete: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the revision that was edited. */
                "If-Match"?: string;
            };
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_update: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the revision that was edited. */
                "If-Match"?: string;
            };
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PatchedStudyUpdateInputRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_copy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_designs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesignOutput"][];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    designs_create: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DesignCreateInputRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DesignOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_document: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyDocumentOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_export: {
        parameters: {
            query?: {
                as?: "json" | "yaml";
            };
            header?: never;
            path: {
                study_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                    "application/json": string;
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    studies_import: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/yaml": string;
                "application/json": string;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tokens_list: {
        parameters: {
            query?: {
                /** @description The pagination cursor value. */
                cursor?: string;
                /** @description Number of results to return per page. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaginatedTokenOutputList"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tokens_create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCreateInputRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreatedOutput"];
                };
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tokens_destroy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No response body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
