// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.verbs.attr.PathMtu;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the codes of InfiniBand stand for. */
final class Units {
    /** Gb/s, by {@code IBV_RATE_*}. */
    private static final Map<Integer, BigDecimal> RATES = rates();

    private Units() {}

    private static Map<Integer, BigDecimal> rates() {
        int[] codes = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
        String[] rates = {
            "2.5", "10", "30", "5", "20", "40", "60", "80", "120", "14", "56", "112", "168", "25", "100", "200", "300",
            "28", "50", "400", "600", "800", "1200"
        };
        Map<Integer, BigDecimal> table = new TreeMap<>();
        for (int i = 0; i < codes.length; i++) {
            table.put(codes[i], new BigDecimal(rates[i]));
        }
        return table;
    }

    /** Bytes of a path MTU. */
    static Optional<Integer> mtuBytes(int code) {
        return Optional.of(PathMtu.of(code))
                .filter(mtu -> mtu != PathMtu.UNKNOWN)
                .map(PathMtu::bytes);
    }

    /** Gb/s of a rate. */
    static Optional<BigDecimal> gigabits(int code) {
        return Optional.ofNullable(RATES.get(code));
    }

    /** The code of a rate in Gb/s. */
    static Optional<Integer> rateCode(BigDecimal gigabits) {
        return RATES.entrySet().stream()
                .filter(rate -> rate.getValue().compareTo(gigabits) == 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
