// Written by `npm run api-types`; do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * ArrayFigures
         * @description The disk arrays of a design in its last year; what is None has a reason beside it.
         */
        ArrayFigures: {
            /** Arrays */
            arrays_count: number;
            /** Drives */
            drives_count: number;
            /** Raw */
            raw_tb: number;
            /** Usable */
            usable_tb: number;
            /** Used */
            used_fraction: number | null;
            /** IOPS ceiling */
            iops_ceiling_per_s: number;
            /**
             * IOPS bound by
             * @enum {string}
             */
            iops_bound_by: "drives" | "cache" | "controller";
            /** Throughput ceiling mb */
            throughput_ceiling_mb_per_s: number;
            /** Requests */
            requests_per_s: number;
            /** Response mean */
            response_mean_ms: number | null;
            /** Mean */
            mean_w: number;
            /** Watts */
            watts: {
                [key: string]: number;
            };
            /** Drives busy */
            drives_busy_count: number;
            /** Drives asleep */
            drives_asleep_count: number;
            /** Starts */
            starts_per_drive_year: number;
            /** Wear */
            wear_years: number | null;
            /**
             * Wears first
             * @default null
             */
            wears_first: string | null;
            /** Loss fraction */
            loss_fraction_per_year: number | null;
            /** Failures */
            failures_per_year: number;
            /** Usd */
            usd_per_tb_year: number | null;
            /** Kgco2e */
            kgco2e_per_tb_year: number | null;
            /** Reasons */
            reasons: {
                [key: string]: string;
            };
        };
        /**
         * Binding
         * @description What sizes a design.
         */
        Binding: {
            /**
             * Resource
             * @enum {string}
             */
            resource: "cores" | "ram" | "disk" | "iops" | "throughput" | "gpu" | "queries" | "latency" | "batch" | "hosts" | "none";
            /** Label */
            label: string;
            /** Detail */
            detail: string;
        };
        /**
         * BreakEven
         * @description When one design has cost less than another, for good within the horizon.
         */
        BreakEven: {
            /** Challenger */
            challenger: string;
            /** Incumbent */
            incumbent: string;
            /** Discounted */
            discounted: boolean;
            /** First month cheaper */
            first_month_cheaper: number | null;
            /** Exact */
            exact_months: number | null;
            /** Crossings */
            crossings_count: number;
            /** Cost */
            cost_usd: number | null;
            /**
             * Reason
             * @default null
             */
            reason: ("never" | "always") | null;
        };
        /**
         * CarbonAmount
         * @description Emissions over the horizon; None with a reason when unknown.
         *
         *     ``factors`` says of what year, place, basis and source the factors are.
         */
        CarbonAmount: {
            /** Kgco2e */
            kgco2e: number | null;
            /** Low */
            low_kgco2e: number | null;
            /** High */
            high_kgco2e: number | null;
            /** Operational */
            operational_kgco2e: number | null;
            /** Embodied */
            embodied_kgco2e: number | null;
            /**
             * Basis
             * @enum {string}
             */
            basis: "modelled" | "estimate" | "unknown";
            /**
             * Reason
             * @default null
             */
            reason: string | null;
            /**
             * Factors
             * @default null
             */
            factors: string | null;
        };
        /**
         * CauseAmount
         * @description What one cause costs over the horizon.
         */
        CauseAmount: {
            /** Cause */
            cause: string;
            /**
             * Side
             * @enum {string}
             */
            side: "owned" | "rented";
            /** Label */
            label: string;
            /** Amount */
            amount_usd: number;
            /** NPV */
            npv_usd: number;
            /** Formula */
            formula: string;
            /**
             * Terms
             * @default []
             */
            terms: components["schemas"]["Term"][];
        };
        /**
         * DesignResult
         * @description One column of the comparison.
         *
         *     ``ranked_usd`` is what the verdict goes by: the mean over the simulations of the chosen
         *     measure, or the measure as entered where nothing was drawn.
         */
        DesignResult: {
            /** Letter */
            letter: string;
            /** Title */
            title: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "owned_cluster" | "cloud" | "hybrid" | "disk_array" | "baseline";
            /**
             * Is baseline
             * @default false
             */
            is_baseline: boolean;
            /** Carries load */
            carries_load: boolean;
            /**
             * Shortfall
             * @default null
             */
            shortfall: components["schemas"]["Remark"] | null;
            /**
             * Remarks
             * @default []
             */
            remarks: components["schemas"]["Remark"][];
            /** Competes */
            competes: boolean;
            binding: components["schemas"]["Binding"];
            spare: components["schemas"]["Spare"];
            /** Sizing */
            sizing: components["schemas"]["SizedYear"][];
            /** Total */
            total_usd: number;
            /** NPV */
            npv_usd: number;
            /** Eac */
            eac_usd_per_year: number;
            /** Ranked */
            ranked_usd: number;
            /**
             * Irr
             * @default null
             */
            irr_fraction: number | null;
            /**
             * Irr reason
             * @default null
             */
            irr_reason: string | null;
            /**
             * Owed after horizon
             * @default 0
             */
            owed_after_horizon_usd: number;
            /** Causes */
            causes: components["schemas"]["CauseAmount"][];
            /** Cumulative */
            cumulative_usd: number[];
            /** Cumulative NPV */
            cumulative_npv_usd: number[];
            /** Years */
            years: components["schemas"]["Year"][];
            energy: components["schemas"]["Energy"];
            /** Energy by cause */
            energy_by_cause_kwh: {
                [key: string]: number;
            };
            /** Carbon */
            carbon: components["schemas"]["CarbonAmount"];
            /**
             * Array
             * @default null
             */
            array: components["schemas"]["ArrayFigures"] | null;
            /**
             * Service
             * @default null
             */
            service: components["schemas"]["ServiceFigures"] | null;
            /**
             * Memory
             * @default null
             */
            memory: components["schemas"]["MemoryFigures"] | null;
            /**
             * Racks
             * @default null
             */
            racks: components["schemas"]["RackFigures"] | null;
            /**
             * Mean
             * @default null
             */
            mean_usd: number | null;
            /**
             * Mean error
             * @default null
             */
            mean_error_usd: number | null;
            /**
             * P10
             * @default null
             */
            p10_usd: number | null;
            /**
             * P50
             * @default null
             */
            p50_usd: number | null;
            /**
             * P90
             * @default null
             */
            p90_usd: number | null;
            /**
             * Regret
             * @default null
             */
            regret_usd: number | null;
            /**
             * Win
             * @default null
             */
            win_fraction: number | null;
            /**
             * Near
             * @default null
             */
            near_fraction: number | null;
            /**
             * Met
             * @default null
             */
            met_fraction: number | null;
            /**
             * Unmet h
             * @default null
             */
            unmet_h_per_year: number | null;
            /**
             * Cumulative p10
             * @default null
             */
            cumulative_p10_usd: number[] | null;
            /**
             * Cumulative p50
             * @default null
             */
            cumulative_p50_usd: number[] | null;
            /**
             * Cumulative p90
             * @default null
             */
            cumulative_p90_usd: number[] | null;
            /**
             * Warnings
             * @default []
             */
            warnings: string[];
        };
        /**
         * Energy
         * @description Electricity over the horizon, cooling included; None with a reason when unknown.
         */
        Energy: {
            /** KWh */
            kwh: number | null;
            /** Low */
            low_kwh: number | null;
            /** High */
            high_kwh: number | null;
            /**
             * Basis
             * @enum {string}
             */
            basis: "modelled" | "estimate" | "unknown";
            /**
             * Reason
             * @default null
             */
            reason: string | null;
        };
        /**
         * Flip
         * @description The value of a quantity at which another design becomes cheapest on average.
         *
         *     ``rises`` says that it does so above the value, not below it.
         */
        Flip: {
            /** Pointer */
            pointer: string;
            /** Quantity */
            quantity: string;
            /** Label */
            label: string;
            /** Unit */
            unit: string;
            /** Value */
            value: number;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** Flips */
            flips_at: number | null;
            /**
             * Rises
             * @default false
             */
            rises: boolean;
            /** Winner after */
            winner_after: string | null;
            /**
             * Reason
             * @default null
             */
            reason: string | null;
        };
        /**
         * Member
         * @description One input of a quantity, with its own range.
         */
        Member: {
            /** Pointer */
            pointer: string;
            /** Label */
            label: string;
            /** Unit */
            unit: string;
            /** Value */
            value: number;
            /** Low */
            low: number;
            /** High */
            high: number;
        };
        /**
         * MemoryFigures
         * @description Memory of all nodes in the last year: what stands idle, and what a policy saves.
         */
        MemoryFigures: {
            /** Installed */
            installed_gib: number;
            /** Idle */
            idle_gib: number;
            /** Spare */
            spare_gib: number;
            /** Spare */
            spare_usd: number | null;
            /** Saving */
            saving_w: number | null;
            /** Reasons */
            reasons: {
                [key: string]: string;
            };
        };
        /**
         * Money
         * @description The currency that amounts are shown in; all amounts here are US dollars.
         */
        Money: {
            /** Code */
            code: string;
            /** Per */
            per_usd: number;
            /**
             * As of
             * @default null
             */
            as_of: string | null;
        };
        /**
         * Odds
         * @description In which share of the simulations each design is cheapest, ties shared.
         *
         *     ``kinds`` adds the shares up by kind of design, ``owned_fraction`` those of all designs
         *     that own in some form; ``error_fraction`` is the half-width of a 95% interval of a share
         *     of one half, the widest there is.
         */
        Odds: {
            /** Draws */
            draws_count: number;
            /** Seed */
            seed: number;
            /** Wins */
            wins: {
                [key: string]: number;
            };
            /** Kinds */
            kinds: {
                [key: string]: number;
            };
            /** Owned */
            owned_fraction: number;
            /** Pairs */
            pairs: components["schemas"]["Pair"][];
            /** Error */
            error_fraction: number;
        };
        /**
         * Pair
         * @description The leader against one rival: how often it is cheaper, ties by half, and by how much.
         */
        Pair: {
            /** Rival */
            rival: string;
            /** Cheaper */
            cheaper_fraction: number;
            /** Gap */
            gap_usd: number;
            /** Gap */
            gap_fraction: number;
        };
        /**
         * Quantity
         * @description One unknown that was drawn; ``explains_fraction`` is its share of the difference
         *     between the leader and its strongest rival.
         */
        Quantity: {
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Members */
            members: components["schemas"]["Member"][];
            /** By hand */
            by_hand: boolean;
            /**
             * Explains
             * @default null
             */
            explains_fraction: number | null;
        };
        /**
         * RackFigures
         * @description The racks of the last year, the first few of them one by one, and what binds.
         */
        RackFigures: {
            /** Racks */
            racks_count: number;
            /** Slots */
            slots_count: number;
            /** Nodes */
            nodes_count: number;
            /** Power */
            power_w: number | null;
            /** Limit */
            limit_w: number;
            /** Groups */
            groups: components["schemas"]["RackGroup"][];
            /** Fullest */
            fullest: components["schemas"]["RackFill"];
            /** Drawn */
            drawn: components["schemas"]["RackFill"][];
            /** Fits */
            fits: boolean | null;
            /** Sentence */
            sentence: string;
        };
        /**
         * RackFill
         * @description What stands in one rack: nodes of each group, and the power provisioned for all of it.
         */
        RackFill: {
            /** Nodes */
            nodes_count: number[];
            /** Power */
            power_w: number | null;
        };
        /**
         * RackGroup
         * @description Nodes of one group, and the power provisioned for one; None where it is not known.
         */
        RackGroup: {
            /** Name */
            name: string;
            /** Count */
            count: number;
            /** Power */
            power_w: number | null;
        };
        /**
         * Remark
         * @description Something to know of a design, and the field that it is about (designs by letter).
         */
        Remark: {
            /** Sentence */
            sentence: string;
            /** Pointer */
            pointer: string;
        };
        /**
         * Row
         * @description One row of the comparison table; a note says more of a value, a reason why there is none.
         */
        Row: {
            /** Id */
            id: string;
            /** Label */
            label: string;
            /** Unit */
            unit: string;
            /** Values */
            values: {
                [key: string]: number | null;
            };
            /** Reasons */
            reasons: {
                [key: string]: string;
            };
            /** Notes */
            notes?: {
                [key: string]: string;
            };
            /**
             * Best
             * @default null
             */
            best: string | null;
            /**
             * Lower is better
             * @default true
             */
            lower_is_better: boolean | null;
        };
        /**
         * ServiceFigures
         * @description A service on its nodes at the end of the last year; what is None has a reason.
         */
        ServiceFigures: {
            /** Nodes */
            nodes_count: number;
            /** Serving nodes */
            serving_nodes_count: number;
            /** Query rate */
            query_rate_per_s: number;
            /** Response p50 */
            response_p50_ms: number | null;
            /** Response p95 */
            response_p95_ms: number | null;
            /** Response p99 */
            response_p99_ms: number | null;
            /** Late */
            late_fraction: number | null;
            /** Spare fractions */
            spare_fractions: {
                [key: string]: number;
            };
            /** Reasons */
            reasons: {
                [key: string]: string;
            };
        };
        /**
         * SizedGroup
         * @description One group in one year: its count, and what each resource alone would need.
         */
        SizedGroup: {
            /** Name */
            name: string;
            /** Count */
            count: number;
            /**
             * Binding
             * @enum {string}
             */
            binding: "cores" | "ram" | "disk" | "iops" | "throughput" | "gpu" | "queries" | "latency" | "batch" | "hosts" | "none";
            /** Required */
            required: {
                [key: string]: number;
            };
            /**
             * Committed
             * @default null
             */
            committed_count: number | null;
            /**
             * Spare nodes
             * @default null
             */
            spare_nodes_count: number | null;
        };
        /**
         * SizedYear
         * @description All groups of a design in one year.
         */
        SizedYear: {
            /** Year */
            year: number;
            /** Groups */
            groups: components["schemas"]["SizedGroup"][];
        };
        /**
         * Spare
         * @description What is left at the tightest peak, as a share of what is there.
         */
        Spare: {
            /**
             * Cores
             * @default null
             */
            cores_fraction: number | null;
            /**
             * RAM
             * @default null
             */
            ram_fraction: number | null;
            /**
             * Disk
             * @default null
             */
            disk_fraction: number | null;
            /**
             * Throughput
             * @default null
             */
            throughput_fraction: number | null;
            /**
             * IOPS
             * @default null
             */
            iops_fraction: number | null;
            /**
             * GPU
             * @default null
             */
            gpu_fraction: number | null;
        };
        /**
         * Term
         * @description One number that went into a cause, and where it was entered.
         */
        Term: {
            /** Name */
            name: string;
            /** Value */
            value: number;
            /** Unit */
            unit: string;
            /**
             * Pointer
             * @default null
             */
            pointer: string | null;
        };
        /**
         * Tie
         * @description The utilisation at which two designs cost the same over the horizon.
         */
        Tie: {
            /** Pointer */
            pointer: string;
            /** Value */
            value: number | null;
            /** Between */
            between: [
                string,
                string
            ];
            /**
             * Reason
             * @default null
             */
            reason: string | null;
        };
        /**
         * TornadoBar
         * @description Winner's cost less the runner-up's at the ends of a quantity's range, the others as
         *     entered; the input is one of it, the others of it move in step.
         */
        TornadoBar: {
            /** Pointer */
            pointer: string;
            /** Quantity */
            quantity: string;
            /** Label */
            label: string;
            /** Unit */
            unit: string;
            /** Value */
            value: number;
            /** Low */
            low: number;
            /** High */
            high: number;
            /** At low */
            at_low_usd: number;
            /** At high */
            at_high_usd: number;
        };
        /**
         * Verdict
         * @description The answer in sentences; ``**`` marks what stands bold.
         *
         *     ``letters`` are the designs that the headline names as its answer: those that cost the
         *     same, or that cannot be told apart. ``excluded`` says of each other design why it does not
         *     compete.
         */
        Verdict: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "clear" | "probable" | "same" | "open" | "as_entered" | "only" | "alone" | "none";
            /**
             * Letters
             * @default []
             */
            letters: string[];
            /** Headline */
            headline: string;
            /**
             * Payoff
             * @default null
             */
            payoff: string | null;
            /**
             * Odds
             * @default null
             */
            odds: string | null;
            /**
             * Flips
             * @default null
             */
            flips: string | null;
            /**
             * Odds reason
             * @default null
             */
            odds_reason: string | null;
            /**
             * Excluded
             * @default null
             */
            excluded: string | null;
        };
        /**
         * Year
         * @description One year of the table that a chief financial officer reads.
         */
        Year: {
            /** Year */
            year: number;
            /** Capex */
            capex_usd: number;
            /** Opex */
            opex_usd: number;
            /** Depreciation */
            depreciation_usd: number;
            /** Cash */
            cash_usd: number;
            /** NPV */
            npv_usd: number;
            /** Causes */
            causes: {
                [key: string]: number;
            };
        };
        /**
         * Comparison
         * @description Everything that the plan says about a study.
         */
        Comparison: {
            /** Horizon */
            horizon_months: number;
            /** Currency */
            currency: components["schemas"]["Money"];
            /**
             * Ranked by
             * @enum {string}
             */
            ranked_by: "cash" | "present_value";
            /** Discounting */
            discounting: string;
            /** Winner */
            winner: string | null;
            /** Runner up */
            runner_up: string | null;
            verdict: components["schemas"]["Verdict"];
            /** Designs */
            designs: components["schemas"]["DesignResult"][];
            /** Break evens */
            break_evens: components["schemas"]["BreakEven"][];
            /** Ties */
            ties: components["schemas"]["Tie"][];
            /** Odds */
            odds: components["schemas"]["Odds"] | null;
            /**
             * Quantities
             * @default []
             */
            quantities: components["schemas"]["Quantity"][];
            /** Flips */
            flips: components["schemas"]["Flip"][];
            /** Tornado */
            tornado: components["schemas"]["TornadoBar"][];
            /** Rows */
            rows: components["schemas"]["Row"][];
            /**
             * Warnings
             * @default []
             */
            warnings: string[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
