// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

/** The steps of a connection, in order. All connections finish a step before the next step begins. */
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

    /** The name of the step in the table of {@code cmtime(1)}. */
    public String label() {
        return label;
    }

    /** The line that {@code cmtime(1)} prints at the start of the step. */
    String progress() {
        return progress;
    }
}
