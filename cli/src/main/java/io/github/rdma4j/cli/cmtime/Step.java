// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import java.util.Optional;

/** What a connection goes through, in this order. All connections finish one step before the next begins. */
public enum Step {
    CREATE_ID("create id", "creating id"),
    BIND("bind addr", "binding source address"),
    RESOLVE_ADDRESS("resolve addr", "resolving address"),
    RESOLVE_ROUTE("resolve route", "resolving route"),
    CREATE_QP("create qp", "creating qp"),
    CONNECT("connect", "connecting"),
    DISCONNECT("disconnect", "disconnecting"),
    DESTROY("destroy", "destroying id");

    private final String label;
    private final String progress;

    Step(String label, String progress) {
        this.label = label;
        this.progress = progress;
    }

    /** What {@code cmtime(1)} calls the step in its table. */
    public String label() {
        return label;
    }

    /** What {@code cmtime(1)} prints when the step begins. */
    String progress() {
        return progress;
    }

    /** The step of a label. */
    public static Optional<Step> of(String label) {
        for (Step step : values()) {
            if (step.label.equals(label)) {
                return Optional.of(step);
            }
        }
        return Optional.empty();
    }
}
