// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;

/** What the header of a completion says of an error. */
final class CompletionStatus {
    static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();
    static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.code();
    static final int GENERAL = WorkCompletionStatus.GENERAL_ERR.code();

    /** The major number of an entry that flushes a queue; the minor number says why, for the first request. */
    private static final int FLUSH = 1;

    /** The minor number for the requests after the first. */
    private static final int FLUSH_OF_THE_REST = 1;

    /** The first digit of the major number when a datagram was sent and met something that is no error of the queue. */
    private static final int OF_DATAGRAMS = 0xe;

    private static final int[] BY_MINOR = codes(
            WorkCompletionStatus.FATAL_ERR,
            WorkCompletionStatus.WR_FLUSH_ERR,
            WorkCompletionStatus.LOC_PROT_ERR,
            WorkCompletionStatus.REM_ACCESS_ERR,
            WorkCompletionStatus.LOC_QP_OP_ERR,
            WorkCompletionStatus.REM_OP_ERR,
            WorkCompletionStatus.LOC_LEN_ERR,
            WorkCompletionStatus.FATAL_ERR,
            WorkCompletionStatus.RETRY_EXC_ERR,
            WorkCompletionStatus.MW_BIND_ERR,
            WorkCompletionStatus.REM_INV_REQ_ERR,
            WorkCompletionStatus.RNR_RETRY_EXC_ERR);

    private CompletionStatus() {}

    private static int[] codes(WorkCompletionStatus... statuses) {
        int[] codes = new int[statuses.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = statuses[i].code();
        }
        return codes;
    }

    private static int major(long header) {
        return (int) header >>> Completion.MAJOR_SHIFT;
    }

    /** Whether an entry with an error completes the oldest request, and stays for the others of the queue. */
    static boolean flushes(long header) {
        return major(header) == FLUSH;
    }

    /** Whether the error is none, for a send of datagrams. */
    static boolean isNoneForDatagrams(long header) {
        return major(header) >>> 12 == OF_DATAGRAMS;
    }

    /** The minor number of an entry that flushes. */
    static int minor(long header, boolean first) {
        return first ? (int) header & Completion.MINOR_MASK : FLUSH_OF_THE_REST;
    }

    /** The status of a request that an entry with {@code minor} flushes. */
    static int flushed(int minor) {
        return BY_MINOR[minor < BY_MINOR.length ? minor : 0];
    }

    /** The vendor's number of a request that an entry with {@code minor} flushes. */
    static int flushVendor(int minor) {
        return FLUSH << Completion.MAJOR_SHIFT | minor;
    }
}
