// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/**
 * What a queue pair is made of.
 *
 * @param qpn its number
 * @param type {@code IB_UVERBS_QPT_*}
 * @param pd the protection domain; of a target of XRC the XRC domain
 * @param sendCq the queue for the completions of sends, null for a target of XRC
 * @param receiveCq the queue for the completions of receives, null for both ends of XRC
 * @param srq the shared receive queue, null for receives of its own
 * @param rings the rings in the form of the driver
 */
public record QpSpec(
        int qpn,
        int type,
        int pd,
        @Nullable CardCq sendCq,
        @Nullable CardCq receiveCq,
        @Nullable CardSrq srq,
        Rings rings) {
    public static final int RC = 2;
    public static final int UC = 3;
    public static final int UD = 4;
    public static final int XRC_INI = 9;
    public static final int XRC_TGT = 10;

    /** The rings of a queue pair in the form of a driver. */
    public interface Rings {
        /** The send ring of a queue pair. */
        SendSource sends(QpSpec spec, Complaints complaints);

        /** The receive ring of a queue pair that has one of its own. */
        ReceiveSource receives(QpSpec spec, Complaints complaints);

        /** What completions carry beside the number of the queue pair. */
        default int completionIndex(QpSpec spec) {
            return 0;
        }
    }

    int completionIndex() {
        return rings.completionIndex(this);
    }
}
