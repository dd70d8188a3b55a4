// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.turns;

import java.util.ArrayList;
import java.util.List;

/**
 * The middle and the ends of several figures.
 *
 * @param median the mean of the two in the middle if the number of figures is even
 * @param least of the figures
 * @param most of the figures
 */
public record Spread(double median, double least, double most) {
    /** The spread of one figure or more. */
    public static Spread of(List<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("there is no spread of no figures");
        }
        List<Double> sorted = figures.stream().sorted().toList();
        int half = sorted.size() / 2;
        double upper = sorted.get(half);
        double median = sorted.size() % 2 == 1 ? upper : (sorted.get(half - 1) + upper) / 2;
        return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }

    /**
     * The spread of the ratios, turn by turn: what slows both sides of a turn down does not count.
     *
     * @param to as many as {@code of}
     */
    public static Spread ofRatios(List<Double> of, List<Double> to) {
        if (of.size() != to.size()) {
            throw new IllegalArgumentException(of.size() + " figures have no ratio to " + to.size());
        }
        List<Double> ratios = new ArrayList<>();
        for (int turn = 0; turn < of.size(); turn++) {
            ratios.add(of.get(turn) / to.get(turn));
        }
        return of(ratios);
    }
}
