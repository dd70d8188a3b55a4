// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How often each kind of fault was injected and survived, and how long the worst recovery took. */
final class Report {
    private final Map<Fault, Row> rows = new LinkedHashMap<>();

    private static final class Row {
        private int injected;
        private int survived;
        private Duration worst = Duration.ZERO;
    }

    Report(List<Fault> kinds) {
        kinds.forEach(kind -> rows.put(kind, new Row()));
    }

    void injected(Fault fault) {
        row(fault).injected++;
    }

    void survived(Fault fault, Duration recovery) {
        Row row = row(fault);
        row.survived++;
        row.worst = row.worst.compareTo(recovery) > 0 ? row.worst : recovery;
    }

    private Row row(Fault fault) {
        return rows.computeIfAbsent(fault, kind -> new Row());
    }

    void print(PrintStream out) {
        out.printf("%n%-16s %8s %8s %14s  %s%n", "fault", "injected", "survived", "worst recovery", "what it is");
        int injected = 0;
        int survived = 0;
        List<Map.Entry<Fault, Row>> entries = new ArrayList<>(rows.entrySet());
        for (Map.Entry<Fault, Row> entry : entries) {
            Row row = entry.getValue();
            injected += row.injected;
            survived += row.survived;
            out.printf(
                    Locale.ROOT,
                    "%-16s %8d %8d %12.1f s  %s%n",
                    entry.getKey().name(),
                    row.injected,
                    row.survived,
                    row.worst.toMillis() / 1000.0,
                    entry.getKey().description());
        }
        out.printf("%-16s %8d %8d%n", "all", injected, survived);
        out.flush();
    }
}
