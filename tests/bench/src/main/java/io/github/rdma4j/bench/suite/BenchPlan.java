// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.kernel.RdmaException;
import java.util.List;

/**
 * A bench of the suite before it runs.
 *
 * @param name as {@code --rows} takes it
 * @param rows that it measures
 * @param guests where it runs unless {@code --on} says otherwise; the first gives its rows their names
 * @param processors how many a guest needs
 * @param factory makes the bench where it runs
 */
record BenchPlan(String name, List<Row> rows, List<Guest> guests, int processors, Factory factory) {
    /** Makes a bench. */
    @FunctionalInterface
    interface Factory {
        Bench make(Bench.Place place) throws RdmaException, InterruptedException;
    }

    /** This bench in other guests, which need so many processors. */
    BenchPlan in(List<Guest> others, int needed) {
        return new BenchPlan(name, rows, others, needed, factory);
    }

    /** The suffix of the names of the rows when they are measured in {@code guest}. */
    String suffix(Guest guest) {
        return guest == guests.get(0) ? "" : "_" + guest.option();
    }

    /** True if {@code chosen} has the name or its first words, or if none is chosen. */
    boolean isAmong(List<String> chosen) {
        return chosen.isEmpty() || chosen.stream().anyMatch(each -> (name + "_").startsWith(each + "_"));
    }
}
