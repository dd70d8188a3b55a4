// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.util.Arrays;
import java.util.stream.Stream;

/** Decodes the error in the header of a completion. */
final class CompletionStatus {
    static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();
    static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.code();
    static final int GENERAL = WorkCompletionStatus.GENERAL_ERR.code();

    /** The major number of an entry that flushes a queue; the minor number is the reason, for the first request. */
    private static final int FLUSH = 1;

    /** Like {@link #FLUSH}, but the minor number is an event number. */
    private static final int FLUSH_BY_EVENT = 0xfffe;

    private static final int REST = 1;

    /** The vendor error of the further requests that an entry flushes. */
    static final int FLUSH_OF_THE_REST = FLUSH << Completion.MAJOR_SHIFT | REST;

    /** The first digit of the major number of a datagram send that met an error outside the queue. */
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
        return Stream.of(statuses).mapToInt(WorkCompletionStatus::code).toArray();
    }

    private static int major(long header) {
        return (int) header >>> Completion.MAJOR_SHIFT;
    }

    /** True if an entry with an error completes the oldest request, and may stay for the queue's other requests. */
    static boolean flushes(long header) {
        return major(header) == FLUSH || major(header) == FLUSH_BY_EVENT;
    }

    /** True if the error does not count for a datagram send. */
    static boolean isNoneForDatagrams(long header) {
        return major(header) >>> 12 == OF_DATAGRAMS;
    }

    /**
     * The vendor error of a request that an entry fails.
     *
     * @param first false if the entry has already flushed another request
     */
    static int vendor(long header, boolean first) {
        if (!flushes(header)) {
            return (int) header;
        }
        int minor = (int) header & Completion.MINOR_MASK;
        boolean event = major(header) == FLUSH_BY_EVENT;
        return major(header) << Completion.MAJOR_SHIFT | (!first ? REST : event ? Events.minor(minor) : minor);
    }

    /** The status of a request with the vendor error {@code vendor}. */
    static int failed(int vendor) {
        if (!flushes(vendor)) {
            return GENERAL;
        }
        int minor = vendor & Completion.MINOR_MASK;
        return BY_MINOR[minor < BY_MINOR.length ? minor : 0];
    }

    /**
     * {@code IRDMA_AE_*} of rdma-core's {@code providers/irdma/user.h}: the meaning of events in an entry that flushes.
     */
    private static final class Events {
        private static final int MOST = 0x7ff;
        private static final byte[] MINORS = new byte[MOST + 1];

        static {
            Arrays.fill(MINORS, (byte) REST);
            stands(2, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109, 0x10a, 0x11c);
            stands(3, 0x112, 0x20d);
            stands(4, 0x133, 0x20a);
            stands(5, 0x505, 0x507, 0x316, 0x20e);
            stands(6, 0x132, 0x134, 0x135, 0x303, 0x305);
            stands(7, 0x700, 0x703, 0x704, 0x705);
            stands(8, 0x50a);
            stands(9, 0x114, 0x118, 0x119, 0x11b);
            stands(10, 0x208);
            stands(11, 0x50f);
        }

        private Events() {}

        private static void stands(int minor, int... events) {
            for (int event : events) {
                MINORS[event] = (byte) minor;
            }
        }

        static int minor(int event) {
            return event <= MOST ? MINORS[event] : REST;
        }
    }
}
