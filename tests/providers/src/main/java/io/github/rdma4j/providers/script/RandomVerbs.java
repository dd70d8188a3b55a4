// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What random scripts may do on a device of a driver, and how the device completes it, in the words of the driver. */
public interface RandomVerbs {
    /** The limits of what scripts do. */
    Facts facts();

    /** Whether something is so with the driver. */
    default boolean has(Trait trait) {
        return facts().traits().contains(trait);
    }

    /** The operations of queue pairs of {@code type}. */
    default List<String> operations(String type) {
        return switch (type) {
            case "ud" -> List.of("send", "send_imm");
            case "uc" -> List.of("send", "send_imm", "write", "write_imm");
            default -> List.of("send", "send_imm", "write", "write_imm", "read", "cas", "fadd");
        };
    }

    /**
     * A capacity for a completion queue of {@code present}, {@code drawn} if the queue has another. For the capacity that the queue
     * has, libirdma does nothing.
     */
    default int otherCapacity(int drawn, int present) {
        return drawn == present ? drawn + 1 : drawn;
    }

    /** The words of a line {@code ah} after the name. */
    default String address(Random random) {
        return String.join(
                " ",
                "" + random.nextInt(8),
                "0",
                "1",
                "" + random.nextInt(4),
                "" + random.nextInt(256),
                "" + random.nextInt(256),
                "" + random.nextInt(1 << 20),
                "0",
                "0",
                Long.toHexString(random.nextLong()),
                Long.toHexString(random.nextLong()));
    }

    /** The work request behind the line of a posted element; null for a line of something else. */
    default @Nullable Sent sent(String line) {
        return line.startsWith("  wqe ") ? sent(line.split(" ", -1)) : null;
    }

    /** The same by the words of such a line: the fourth is the place of the element, and its bytes follow in groups of four. */
    @Nullable
    Sent sent(String[] words);

    /** How the device ends a send. */
    End sendEnd(Random random, Outcome outcome);

    /** How the device ends a receive of a queue pair of {@code type}. */
    End receiveEnd(Random random, String type, boolean failed);

    /** How the device flushes the receives of a queue pair, if one entry flushes all. */
    default End receiveFlush(Random random) {
        throw new UnsupportedOperationException("an entry that flushes all receives");
    }

    /** How the device ends a receive of a shared receive queue that would end like {@code end} elsewhere. */
    default End sharedEnd(Random random, End end) {
        return end;
    }

    /** How the device says that a queue pair has failed, which completes nothing; null if it does not. */
    default @Nullable End termination() {
        return null;
    }

    /** The words of a line {@code cqe} after the queue pair. */
    String words(Random random, Sent of, End end);

    /** The words of a line {@code xcqe} after the shared receive queue, for its entry {@code entry}. */
    default String xrcWords(Random random, int entry, End end) {
        throw new UnsupportedOperationException("XRC");
    }

    /** What is so with some drivers only. */
    enum Trait {
        /** There are shared receive queues. */
        SHARED,
        /** A queue pair can be moved to RESET; otherwise a failed queue pair is destroyed. */
        RESETS,
        /** The completions of a queue pair leave the queue with it; otherwise polls pass over them. */
        SWEEPS,
        /** The library takes as many sends as the provider in Java. */
        FILLS_UP,
        /** One entry flushes all requests of a queue. */
        FLUSHES_AT_ONCE,
        /** The producer counts in 16 bits, without beginning anew with each lap of the ring. */
        COUNTS_IN_16_BITS,
        /** An entry flushes each request of a queue that has failed, receives among them. */
        FLUSHES_RECEIVES,
        /** The library does not survive the entry of a failed send whose queue pair is gone. */
        LOSES_FAILED_SENDS,
        /** The capacity of a completion queue changes. */
        RESIZES,
        /** Entries may be left in the ring from before a change of the capacity when their queue pair goes. */
        FORGETS_AFTER_RESIZE,
        /** A receive of a queue pair's own has a scatter-gather entry at least. */
        RECEIVES_NEED_A_PIECE,
        /** A scatter-gather entry of such a receive has a byte at least. */
        RECEIVES_NEED_BYTES,
        /** The device names only the last of several sends, and the library finds those before it. */
        FINDS_EARLIER_SENDS,
        /** The library loses receives of a shared receive queue whose queue pair goes before they are polled. */
        LOSES_SHARED_RECEIVES
    }

    /** Who flushes what is posted to a queue pair that has failed. */
    enum AfterFailure {
        /** The device, with an entry for each. */
        DEVICE_FLUSHES,

        /** The library, and the provider, when the completion queue is polled. */
        PROCESS_FLUSHES,

        /** The provider; the library loses what was posted between the device's last entry and the move to ERR. */
        LIBRARY_LOSES
    }

    /** How the work requests of a send queue end. */
    enum Outcome {
        SUCCESS,
        FAILED,
        FLUSHED
    }

    /** How a work request ends, for the driver to say. */
    interface End {
        /** Whether the entry completes nothing. */
        default boolean isSilent() {
            return false;
        }

        /** Whether nothing is completed, because the receive is posted again. */
        default boolean isPageFault() {
            return false;
        }
    }

    /**
     * What a completion says of its work request.
     *
     * @param counter the number of a send in its ring, or of a receive
     * @param opcode the driver's operation of a send; receives have none
     * @param completes whether a completion is polled for it if the device names only a later one
     */
    record Sent(int counter, int opcode, boolean completes) {
        /** Polls find completions only of requests that the device names. */
        public Sent(int counter, int opcode) {
            this(counter, opcode, false);
        }
    }

    /**
     * The limits of what scripts do.
     *
     * @param types of queue pairs: rc, uc, ud, xrc
     * @param sendSge the most scatter-gather entries of a send; all takes a half of the queue pairs
     * @param receiveSge the most scatter-gather entries of a receive
     * @param readSge the scatter-gather entries of a read: 0 for as many as a send has
     * @param inline the most bytes of inline data that a queue pair asks for
     * @param numberBits the bits of the numbers of queues
     * @param afterFailure what becomes of requests that are posted to a queue pair that has failed
     * @param traits what is so with the driver
     */
    record Facts(
            List<String> types,
            int sendSge,
            int receiveSge,
            int readSge,
            int inline,
            int numberBits,
            AfterFailure afterFailure,
            Set<Trait> traits) {}
}
