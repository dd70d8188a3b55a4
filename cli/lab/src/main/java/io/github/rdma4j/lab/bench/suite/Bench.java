// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import io.github.rdma4j.kernel.RdmaException;

/** Measures its rows in C and in Java, a turn at a time. For one thread. */
interface Bench extends AutoCloseable {
    /** Prepares both sides, and lets the JIT compile. */
    default void prepare() throws RdmaException, InterruptedException {}

    /** One turn of the program in C. */
    Sample measureC() throws RdmaException, InterruptedException;

    /** One turn of Java. */
    Sample measureJava() throws RdmaException, InterruptedException;

    /** What the report says beside the figures, or an empty string; asked for after the last turn. */
    default String remark() {
        return "";
    }

    @Override
    default void close() throws RdmaException {}
}
