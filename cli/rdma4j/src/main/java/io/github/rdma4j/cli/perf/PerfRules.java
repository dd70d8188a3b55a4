// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

/** Which options go together. */
final class PerfRules {
    /** Both halves of the memory must fit into one buffer. */
    private static final long MAX_BYTES = 2L * PerfOptions.MAX_SIZE;

    private static final int PAGE = 1 << 12;

    private PerfRules() {}

    /** Refuses what perftest refuses, and what does not fit into memory. */
    static void check(PerfOptions options) {
        PerfProgram program = options.program();
        boolean send = program.verb() == PerfProgram.Verb.SEND;
        boolean atomic = program.verb() == PerfProgram.Verb.ATOMIC;
        boolean latency = program.isLatency();
        refuse(options.isDatagram() && !send, "UD has no RDMA operations: -c UD is for send_lat and send_bw");
        refuse(
                options.isBidirectional() && latency,
                "-b is for bandwidth programs: a latency program has both directions anyway");
        refuse(options.queuePairs() > 1 && latency, "-q is for bandwidth programs; a latency program has 1 queue pair");
        refuse(options.isAllSizes() && atomic, "-a is not for atomic operations, which have 8 bytes");
        refuse(options.isTimed() && options.events(), "-D and -e exclude each other");
        refuse(options.isTimed() && options.isAllSizes(), "-D and -a exclude each other");
        long bytes = 2L * options.queuePairs() * Math.max(options.largestSize(), PAGE);
        refuse(
                bytes > MAX_BYTES,
                options.queuePairs() + " queue pairs with messages of " + options.largestSize() + " bytes need " + bytes
                        + " bytes of memory; at most " + MAX_BYTES + " are possible: lower -q or -s");
    }

    private static void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new IllegalArgumentException(why);
        }
    }
}
