// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import io.github.rdma4j.lab.semantics.guest.KernelSeries;
import java.util.LinkedHashMap;
import java.util.Map;

/** The expected result of an experiment. The prediction may differ between kernel releases. */
public final class Prediction {
    private static final String FIRST = "0";

    /** By the first kernel series that it holds for, in ascending order. */
    private final Map<String, String> bySeries = new LinkedHashMap<>();

    private Prediction() {}

    static Prediction of(String text) {
        return new Prediction().since(FIRST, text);
    }

    /** From this kernel series on, {@code text} instead. */
    Prediction since(String series, String text) {
        bySeries.put(series, text);
        return this;
    }

    /** The prediction for a kernel series. */
    String on(String series) {
        String text = "";
        for (Map.Entry<String, String> entry : bySeries.entrySet()) {
            if (KernelSeries.compare(entry.getKey(), series) <= 0) {
                text = entry.getValue();
            }
        }
        return text;
    }

    /** All of it, for a reader. */
    String text() {
        StringBuilder all = new StringBuilder();
        bySeries.forEach((series, text) ->
                all.append(all.isEmpty() ? "" : "<br>since " + series + ": ").append(text));
        return all.toString();
    }
}
