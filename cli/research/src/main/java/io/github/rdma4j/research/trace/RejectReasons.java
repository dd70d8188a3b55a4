// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.util.Map;
import java.util.stream.Collectors;

/** Why a REJ was sent. */
public final class RejectReasons {
    private static final Map<String, String> NAMES =
            Resource.rows("reject-reasons.tsv").collect(Collectors.toMap(row -> row.get(0), row -> row.get(1)));

    private RejectReasons() {}

    /** The number and what it means. */
    public static String text(int reason) {
        String name = NAMES.get(String.valueOf(reason));
        return reason + (name == null ? "" : " (" + name + ")");
    }
}
