// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.util.Map;

/** Why a REJ was sent. */
public final class RejectReasons {
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "no queue pair"),
            Map.entry(2, "no EE context"),
            Map.entry(3, "no resources"),
            Map.entry(4, "the peer closed or timed out while connecting"),
            Map.entry(5, "unsupported request"),
            Map.entry(6, "invalid communication id"),
            Map.entry(7, "invalid communication instance"),
            Map.entry(8, "no listener on that port"),
            Map.entry(9, "invalid transport type"),
            Map.entry(10, "stale connection"),
            Map.entry(11, "RDC does not exist"),
            Map.entry(12, "primary remote port GID rejected"),
            Map.entry(13, "primary remote port LID rejected"),
            Map.entry(14, "invalid primary SL"),
            Map.entry(15, "invalid primary traffic class"),
            Map.entry(16, "invalid primary hop limit"),
            Map.entry(17, "invalid primary packet rate"),
            Map.entry(18, "alternate remote port GID rejected"),
            Map.entry(19, "alternate remote port LID rejected"),
            Map.entry(20, "invalid alternate SL"),
            Map.entry(21, "invalid alternate traffic class"),
            Map.entry(22, "invalid alternate hop limit"),
            Map.entry(23, "invalid alternate packet rate"),
            Map.entry(24, "port and CM redirection"),
            Map.entry(25, "port redirection"),
            Map.entry(26, "invalid path MTU"),
            Map.entry(27, "insufficient responder resources"),
            Map.entry(28, "the peer's program rejected the request"),
            Map.entry(29, "RNR retry count reject"),
            Map.entry(30, "duplicate local communication id"),
            Map.entry(31, "invalid class version"),
            Map.entry(32, "invalid primary flow label"),
            Map.entry(33, "invalid alternate flow label"),
            Map.entry(35, "vendor option not supported"));

    private RejectReasons() {}

    /** The number and what it means. */
    public static String text(int reason) {
        String name = NAMES.get(reason);
        return reason + (name == null ? "" : " (" + name + ")");
    }
}
