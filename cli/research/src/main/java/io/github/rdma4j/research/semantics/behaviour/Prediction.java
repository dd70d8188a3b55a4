// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.guest.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The expected result of an experiment. The prediction may differ between kernel releases.
 *
 * @param text the prediction for readers: {@code old<br>since 6.4: new}
 * @param bySeries the same by the first kernel series that it holds for, in ascending order
 * @param remark how rdma4j behaves, or an empty string
 */
public record Prediction(String text, Map<String, String> bySeries, String remark) {
    private static final String SINCE = "<br>since ";
    private static final Map<String, Prediction> BY_KEY = new HashMap<>();

    static {
        Table.resource("predictions.tsv")
                .forEach(columns ->
                        BY_KEY.put(columns.get(0), parse(columns.get(1), columns.size() > 2 ? columns.get(2) : "")));
    }

    static Prediction parse(String text, String remark) {
        Map<String, String> bySeries = new LinkedHashMap<>();
        for (String part : ("0: " + text).split(SINCE, -1)) {
            int colon = part.indexOf(": ");
            bySeries.put(part.substring(0, colon), part.substring(colon + 2));
        }
        return new Prediction(text, bySeries, remark);
    }

    /** The prediction in {@code predictions.tsv}. */
    static Prediction ofKey(String key) {
        return Objects.requireNonNull(BY_KEY.get(key), () -> "no prediction for " + key);
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
}
