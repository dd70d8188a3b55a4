// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.Nullable;

/** What a queue pair is made of, whatever its rings look like. */
public interface QpSpec {
    int RC = 2;
    int UC = 3;
    int UD = 4;
    int XRC_INI = 9;
    int XRC_TGT = 10;

    /** The number of the queue pair. */
    int qpn();

    /** {@code IB_UVERBS_QPT_*}. */
    int type();

    /** The protection domain; of a target of XRC the XRC domain. */
    int pd();

    /** What completions carry beside the number of the queue pair. */
    default int completionIndex() {
        return 0;
    }

    /** The queue for the completions of sends, null for a target of XRC. */
    @Nullable
    CardCq sendCq();

    /** The queue for the completions of receives, null for both ends of XRC. */
    @Nullable
    CardCq receiveCq();

    /** The shared receive queue, null for receives of its own. */
    default @Nullable CardSrq srq() {
        return null;
    }
}
