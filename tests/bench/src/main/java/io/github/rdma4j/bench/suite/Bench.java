// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;

/** Measures its rows in C, or with a library in C, and in Java, a turn at a time. For one thread. */
interface Bench extends AutoCloseable {
    /** Prepares both sides, and lets the JIT compile. */
    default void prepare() throws RdmaException, InterruptedException {}

    /** False if there is nothing in C on this machine; then only Java is measured. */
    default boolean hasC() {
        return true;
    }

    /** One turn of the program in C. */
    Sample measureC() throws RdmaException, InterruptedException;

    /** One turn of Java. */
    Sample measureJava() throws RdmaException, InterruptedException;

    /** A remark for the report, or an empty string. Called after the last turn. */
    default String remark() {
        return "";
    }

    @Override
    default void close() throws RdmaException {}

    /** One of the two that are compared. */
    enum Side {
        C("C"),
        JAVA("Java");

        private final String title;

        Side(String title) {
            this.title = title;
        }

        /** For people. */
        String title() {
            return title;
        }
    }

    /**
     * The measurement of one side in one turn.
     *
     * @param figures by the names of the bench's rows
     * @param bytesPerOperation the heap bytes that an operation allocated, if they were counted
     */
    record Sample(Map<String, Double> figures, OptionalDouble bytesPerOperation) {
        static Sample of(Map<String, Double> figures) {
            return new Sample(figures, OptionalDouble.empty());
        }
    }

    /**
     * The environment in which a bench runs.
     *
     * @param guest the kind of the guest
     * @param rdma the device and its address
     * @param programs the directory of the suite's own programs in C
     * @param iterations how often an operation of the data path is done in a turn, in percent of the usual number
     */
    record Place(Guest guest, RdmaAddress rdma, Path programs, int iterations) {
        private static final int PERCENT = 100;

        /** So many of {@code usual} iterations as this run does. */
        int scaled(int usual) {
            return Math.max(PERCENT, usual / PERCENT * iterations);
        }
    }
}
